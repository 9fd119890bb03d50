/** The example "board minutes": one document, signed by the chair last, archived and reported once. */
import should from 'should'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runExample, type RunningExample } from './support/examples/running-example'
import { until } from './support/time'

describe('the example of board minutes', () => {
  let example: RunningExample
  before(async () => void (example = await runExample('Board minutes')))
  after(() => example?.stop())
  const told = 'in place of the email node'

  it('lets the members sign first, so that the chair is last', async () => {
    // The chair is the first to press.
    const first = { rules: [{ t: 'set', p: 'signers', pt: 'msg', to: '$reverse(signers)', tot: 'jsonata' }] }
    await example.deploy({ "Ola's sign button": first, 'Ola signs': { wires: [] } }, [])
    await example.press('send the minutes')
    await until(async () => (await example.titles()).length === 1)
    should(example.times(told)).equal(0)
  })

  it('sends, archives and writes to the secretary once, also when the button is pressed twice', async () => {
    await example.deploy()
    await Promise.all([example.press('send the minutes'), example.press('send the minutes')])
    await until(() => example.times(told) === 1)
    await example.press('send the minutes', 'archived before')
    should(await example.titles()).deepEqual(['Minutes of 2031-03-12'])
    should(example.times(told)).equal(1)
    should(example.red.output()).match(/Signed: Minutes of 2031-03-12 \/ All members have signed/)
    const archive = join(example.folder, 'board-minutes')
    const index = readdirSync(archive).find((name) => name.startsWith('index-')) ?? ''
    should(readFileSync(join(archive, index), 'utf8').trim().split('\n')).have.length(1)
    should(readdirSync(join(archive, 'Minutes of 2031-03-12')).length).be.above(2)
  })
})
