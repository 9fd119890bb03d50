/** The rows of the control room, kind by kind: each can be opened, and has actions in a person's place. @rest */
import should from 'should'
import { readFileSync } from 'node:fs'
import { pressOn, tabTo } from '../support/keyboard'
import { shouldSuitEverybody } from '../support/look'
import { useRoom, type Room } from '../support/room'

describe('the rows of the control room', () => {
  let room: Room
  useRoom((opened) => (room = opened))

  it('opens what people would see, and unfolds a request', async () => {
    const { parties, page } = room
    const { documentId } = await room.fill()
    await page.reload()
    await tabTo(page, room.panel('documents').getByRole('link').first())
    const [opened] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')])
    await opened.getByRole('heading', { name: 'Contract room-2' }).waitFor()
    await opened.close()
    await room.openRow(room.panel('requests'))
    await room.panel('requests').locator('pre').waitFor()
    // An open row stays open when more requests arrive.
    await parties.call('GET', `/signature/documents/${documentId}/status`)
    await room.panel('requests').getByText('getDocumentStatus').waitFor()
    should(await room.panel('requests').locator('pre').count()).equal(1)
  })

  it('offers every action on a document in its row: sign as, leave, remind, look, cancel', async () => {
    const { service, parties, page } = room
    const { documentId, signers } = await parties.createDocument('room-4', 2)
    const stateOf = () => service.sandbox.world.signature.documents.get(documentId)?.status
    const row = room.rowOf('documents', 'Contract room-4')
    await row.getByText('Next: signer-0').waitFor()
    await pressOn(page, row.getByRole('button', { name: 'Leave without signing as signer-0' }))
    await row.locator('.people li').first().getByText('left without signing', { exact: true }).waitFor()
    await row.getByText('Next: signer-0').waitFor()
    // The sandbox can sign although the signer's page was opened long ago.
    await service.sandbox.clock.advance(21 * 60_000)
    await pressOn(page, row.getByRole('button', { name: 'Sign as signer-0' }))
    await row.getByText('partly signed').waitFor()
    await row.getByText('Next: signer-1').waitFor()
    // The pressed button is gone, and the focus is still in its row.
    should(
      await row
        .locator('summary')
        .first()
        .evaluate((one) => one === document.activeElement),
    ).be.true()
    await page.keyboard.press('Enter')
    await row.getByText(documentId, { exact: true }).waitFor()
    await row.getByText('signer-0 signed “Contract room-4”; others still have to sign.').waitFor()
    await row.getByText('POST createDocument').waitFor()
    await pressOn(page, row.getByText('Look at the document'))
    await row.frameLocator('iframe').getByText('agreed').waitFor()
    await pressOn(page, row.getByRole('button', { name: 'Remind' }))
    await page.getByRole('status').getByText('Done.').waitFor()
    // An open preview stays open when the row changes.
    await row.locator('iframe').evaluate((one) => Object.assign(one, { sameFrame: true }))
    await parties.call('POST', `/signature/documents/${documentId}/signers`, {
      externalSignerId: 'per-nordmann',
      signerInfo: { firstName: 'Per', lastName: 'Nordmann' },
      redirectSettings: { redirectMode: 'donot_redirect' },
      signatureType: { mechanism: 'pkisignature' },
    })
    await row.getByRole('link', { name: 'Per Nordmann' }).waitFor()
    should(await row.getByText(documentId, { exact: true }).isVisible()).be.true()
    should(await row.locator('iframe').evaluate((one) => 'sameFrame' in one)).be.true()
    await shouldSuitEverybody(page)
    room.agree()
    await pressOn(page, row.getByRole('button', { name: 'Cancel' }))
    await row.getByText('canceled', { exact: true }).first().waitFor()
    should(stateOf()).equal('canceled')
    should(signers).have.length(2)
  })

  it('shows and gives the document before and after it is signed', async () => {
    const { service, parties, page } = room
    const { documentId } = await parties.createDocument('room-5')
    const row = room.rowOf('documents', 'Contract room-5')
    await row.getByRole('button', { name: 'Sign as signer-0' }).click()
    await row.getByText('signed', { exact: true }).first().waitFor()
    await service.sandbox.clock.advance(2000)
    await room.openRow(row)
    const textOf = async (name: string) => {
      const saved = page.waitForEvent('download')
      await row.getByRole('link', { name, exact: true }).click()
      return readFileSync(await (await saved).path(), 'utf8')
    }
    should(await textOf('Download')).equal('agreed')
    should(await textOf('Download signed')).containEql(documentId)
    await row.getByText('Look at the signed document').click()
    await row.frameLocator('iframe').last().getByText('Ola Nordmann').first().waitFor()
    should(await row.getByRole('button', { name: 'Remind' }).count()).equal(0)
  })

  it("ends a session in the user's place, in each of the ways that it can end", async () => {
    const { parties, page } = room
    const ends = [
      ['Identify as Ola Nordmann', 'identified', 'success'],
      ['Abort', 'canceled by the user', 'user_aborted'],
      ['Let it fail', 'failed', 'failed'],
      ['Let it time out', 'timed out', 'timed_out'],
      ['Make invalid', 'made invalid', 'invalidated'],
    ] as const
    const sessions = await Promise.all(ends.map(() => parties.createSession()))
    for (const [index, [name, state, status]] of ends.entries()) {
      const { id } = sessions[index] ?? { id: '' }
      const row = page.locator(`[data-key="session-${id}"]`)
      await pressOn(page, row.getByRole('button', { name, exact: true }))
      await row.getByText(state, { exact: true }).waitFor()
      should(await row.getByRole('button', { name: 'Abort' }).count()).equal(0)
      await room.openRow(row)
      await row.getByText(id, { exact: true }).waitFor()
      await row.getByText('POST createSession').waitFor()
      should((await parties.call<{ status: string }>('GET', `/identification/v2/sessions/${id}`)).status).equal(status)
    }
  })

  it('opens a share as its recipient, notifies one again, removes one, and deletes the share', async () => {
    const { service, page } = room
    const { share } = await room.fill()
    const row = room.rowOf('shares', 'Payslips')
    const ola = row.locator('.people li', { hasText: 'Ola Nordmann' })
    await tabTo(page, ola.getByRole('link'))
    const [recipient] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')])
    await recipient.locator('form button[type=submit]').click()
    await recipient.locator('.files a').first().click()
    await ola.getByText('has downloaded', { exact: true }).waitFor()
    await recipient.close()
    await row.getByText('Next: Kari Nordmann').waitFor()
    const sent = service.sandbox.world.outbox.list().length
    await pressOn(page, row.getByRole('button', { name: 'Send again: Kari Nordmann' }))
    await page.getByRole('status').getByText('Done.').waitFor()
    should(service.sandbox.world.outbox.list()).have.length(sent + 2)
    room.agree()
    await pressOn(page, row.getByRole('button', { name: 'Remove: Kari Nordmann' }))
    await row.locator('.people li').nth(1).waitFor({ state: 'detached' })
    await room.openRow(row)
    await row.getByText(share.id, { exact: true }).waitFor()
    await row.getByText('Ola Nordmann downloaded from “Payslips”.').waitFor()
    room.agree()
    await pressOn(page, row.getByRole('button', { name: 'Delete the share' }))
    await row.getByText('deleted', { exact: true }).waitFor()
  })

  it('tests, turns off and removes a webhook, and shows the result', async () => {
    const { parties, page } = room
    await parties.call('POST', '/notification/webhooks', {
      name: 'flows',
      active: true,
      events: ['*'],
      config: { url: 'http://127.0.0.1:1/none', deliveryLogging: 'always' },
    })
    const row = room.rowOf('webhooks', 'flows')
    await room.openRow(row)
    await row.locator('.inside').getByText('not delivered').first().waitFor()
    await pressOn(page, row.getByRole('button', { name: 'Send a test' }))
    await row.locator('.inside li').nth(1).waitFor()
    await pressOn(page, row.getByRole('button', { name: 'Turn off' }))
    await row.getByText('turned off', { exact: true }).waitFor()
    await pressOn(page, row.getByRole('button', { name: 'Turn on' }))
    await row.getByRole('button', { name: 'Turn off' }).waitFor()
    room.agree()
    await pressOn(page, row.getByRole('button', { name: 'Remove' }))
    await room.panel('webhooks').getByText('No webhooks are registered.').waitFor()
  })

  it('opens events, messages and requests, and copies an id', async () => {
    const { page } = room
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const { documentId } = await room.fill()
    await room.openRow(room.rowOf('events', '“Payslips” was registered.'))
    await room.panel('events').locator('pre').getByText('"type": "share_created"').waitFor()
    await room.openRow(room.rowOf('outbox', 'SMS to Ola Nordmann'))
    await room.panel('outbox').locator('.inside').getByText('SMS to +4799999999').waitFor()
    await room.openRow(room.rowOf('requests', 'createSession'))
    await room.panel('requests').getByText('POST /identification/v2/sessions').waitFor()
    const row = room.rowOf('documents', 'Contract room-1')
    await room.openRow(row)
    await pressOn(page, row.getByRole('button', { name: 'Copy' }))
    await page.getByRole('status').getByText('Copied.').waitFor()
    should(await page.evaluate(() => navigator.clipboard.readText())).equal(documentId)
  })

  it('keeps what a person is typing while more arrives', async () => {
    const { parties, page } = room
    const row = room.rowOf('deposits', 'lease-deposit-unfunded-1')
    const amount = row.getByPlaceholder('Amount')
    await tabTo(page, amount)
    await page.keyboard.type('70')
    await parties.createDocument('room-6')
    await room.panel('documents').getByText('room-6', { exact: true }).waitFor()
    await page.keyboard.type('00')
    await page.keyboard.press('Enter')
    await row.getByText('7000 of 27000').waitFor()
    await row.getByText('Next: 20000 to be paid in').waitFor()
    room.agree()
    await pressOn(page, row.getByRole('button', { name: 'Cancel' }))
    await row.getByText('canceled', { exact: true }).waitFor()
  })

  it('pays a deposit in, and leads to the page on which the tenant signs how it is split', async () => {
    const { parties, page } = room
    const fund = page.getByRole('button', { name: 'Pay in all: deposit-unfunded-1' })
    await pressOn(page, fund)
    await room.panel('deposits').getByText('27000 of 27000').nth(2).waitFor()
    await parties.call('POST', '/deposit/personal/deposit-unfunded-1/terminate', {
      category: 'SPLIT',
      username: 'kari',
      amount: { tenant: 20_000, landlord: 7000 },
      transactionInfo: { landlord: { kid: '1234567890', description: 'Repairs' } },
    })
    const link = room.panel('deposits').getByRole('link', { name: 'Ola Nordmann' })
    await link.waitFor()
    await tabTo(page, link)
    const [tenant] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('Enter')])
    await shouldSuitEverybody(tenant)
    await pressOn(tenant, tenant.getByRole('button', { name: 'Sign' }))
    await tenant.getByRole('status').getByText('You have signed.').waitFor()
    await tenant.close()
    const row = room.rowOf('deposits', 'lease-deposit-unfunded-1')
    await row.getByText('released', { exact: true }).waitFor()
    await room.openRow(row)
    await row.getByText('20000 to the tenant').waitFor()
    await row.getByText('The deposit of Ola Nordmann is fully paid in.').waitFor()
  })
})
