/** "wait" when Node-RED is killed: five hundred waits in a file store, none lost and none ended twice. */
import should from 'should'
import { fork, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { act, pause, startParties, until } from './parties'
import { startService, type Service } from './service'
import type { FromParent, ToParent, WaitProcess } from './wait-process'

describe('wait, when Node-RED is killed', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  it('goes on with five hundred waits after Node-RED was killed, and ends each once', async () => {
    const parties = await startParties(service)
    const userDir = mkdtempSync(join(tmpdir(), 'eid-wait-'))
    const documents = []
    for (let number = 0; number < 500; number++) documents.push(await parties.createDocument(`kill-${number}`))
    const ids = documents.map(({ documentId }) => documentId)
    const first = await startProcess({ url: service.url, userDir })
    first.process.send({ documentIds: ids } satisfies FromParent)
    await until(() => ids.every((id) => storedIn(userDir).includes(id)) || undefined, 30)
    first.process.kill('SIGKILL')
    for (const { signers } of documents) await act(signers[0]?.url ?? '')
    const second = await startProcess({ url: service.url, userDir })
    await until(() => second.ended.length >= 500 || undefined, 30)
    await pause(500)
    should([...first.ended, ...second.ended].map(({ ended }) => ended).sort()).deepEqual([...ids].sort())
    for (const { ended, output, note } of second.ended)
      should({ output, note }).deepEqual({ output: 0, note: { for: ended } })
    second.process.kill('SIGKILL')
    const third = await startProcess({ url: service.url, userDir })
    await pause(500)
    should(third.ended).deepEqual([])
    third.process.kill('SIGKILL')
    rmSync(userDir, { recursive: true })
  }).timeout(90_000)
})

type Ended = Extract<ToParent, { ended: string }>

interface Started {
  readonly process: ChildProcess
  readonly ended: Ended[]
}

/** Starts a Node-RED of its own and gives it back when its flow runs. */
function startProcess(options: WaitProcess): Promise<Started> {
  const child = fork(join(__dirname, 'wait-process.ts'), [JSON.stringify(options)], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended: Ended[] = []
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`it ended with ${code}`)))
    child.on('message', (message: ToParent) => {
      if ('ready' in message) resolve({ process: child, ended })
      else ended.push(message)
    })
  })
}

/** All that the file store holds, as text. */
function storedIn(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8')).join()
}
