/** Errors after which a flow that is started again could add a second document. */
import should from 'should'
import { generateKey } from '../../../lib/common/generated-key'
import { keepMessage, keptMessage, takeMessage } from '../../../lib/runtime/monitor/kept-messages'
import { afterMade, withoutEarlyLook, wouldBeSecond } from '../../../lib/runtime/monitor/second-document'

describe('an error after which a second document is possible', () => {
  const at = 1_700_000_000_000
  const early = at + 60_000
  const late = at + 600_000
  const fingerprint = '0b84fec524ba3618'
  const errorOf = (externalId: string, foundAt?: number) => ({
    id: 'e',
    at,
    said: { cause: { externalId } },
    ...(foundAt !== undefined && { found: 'absent' as const, foundAt }),
  })
  const generated = errorOf(generateKey(fingerprint))
  const absent = (foundAt: number) => errorOf(generated.said.cause.externalId, foundAt)
  afterEach(() => void takeMessage())

  it('counts as absent after an early look only while its message is kept', () => {
    should(withoutEarlyLook(absent(early)).found).be.undefined()
    should(withoutEarlyLook(absent(late)).found).equal('absent')
    should(withoutEarlyLook(errorOf('lease-1', early)).found).equal('absent')
    keepMessage('e', {})
    should(withoutEarlyLook(absent(early)).found).equal('absent')
    should(wouldBeSecond(generated, early)).be.false()
    // The flow has created another document, so even its own message does not make a second look needless.
    should(wouldBeSecond({ ...generated, remade: true }, early)).be.true()
    should(wouldBeSecond({ ...generated, remade: true }, late)).be.false()
  })

  it('is settled by the same request with another key only after a late look', () => {
    const again = { externalId: generateKey(fingerprint) }
    should(afterMade(absent(late), again)).be.undefined()
    should(afterMade(absent(early), again)).have.properties({ found: 'absent', remade: true })
    should(afterMade(generated, again)).have.property('remade', true)
  })

  it('drops its message when the flow has made the document with another key', () => {
    keepMessage('e', {})
    should(afterMade(generated, { externalId: generateKey('ffffffffffffffff') })).equal(generated)
    should(keptMessage('e')).be.ok()
    afterMade(generated, { externalId: generateKey(fingerprint) })
    should(keptMessage('e')).be.undefined()
  })

  it('is settled by its own key', () => {
    should(afterMade(absent(early), generated.said.cause)).be.undefined()
  })
})
