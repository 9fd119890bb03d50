/** Which archives show that the drive on which they are is connected, and which do not. */
import should from 'should'
import { cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkDrive, noteArchive } from '../../../nodes/document/archive/known-archives'
import { temporaryFolder } from '../../support/temporary-folder'

describe('the archives that are known', () => {
  let folder: ReturnType<typeof temporaryFolder>
  let drive: string
  beforeEach(() => {
    folder = temporaryFolder()
    drive = join(folder.path, 'drive')
  })
  afterEach(() => folder.remove())

  const make = (name: string) => {
    mkdirSync(join(drive, name), { recursive: true })
    writeFileSync(join(drive, name, 'index.jsonl'), '')
    return noteArchive(join(drive, name))
  }
  const isRefused = (name: string) => should(checkDrive(join(drive, name))).be.rejectedWith({ code: 'AWAY' })
  /** Connects the drive again, so that it is another folder with the same content. */
  const reconnect = () => {
    cpSync(drive, `${drive}-copy`, { recursive: true })
    rmSync(drive, { recursive: true })
    renameSync(`${drive}-copy`, drive)
  }

  it('keep a new one from beginning while their drive is not connected, although its path has an archive', async () => {
    await make('kari')
    renameSync(drive, `${drive}-away`)
    await make('left behind')
    await isRefused('ola')
    await make('left behind')
    await isRefused('ola')
    rmSync(drive, { recursive: true })
    await isRefused('ola')
    renameSync(`${drive}-away`, drive)
    await checkDrive(join(drive, 'ola'))
    await make('ola')
    // The drive is still known by what is on it.
    reconnect()
    await noteArchive(join(drive, 'kari'))
    rmSync(join(drive, 'kari'), { recursive: true })
    await checkDrive(join(drive, 'per'))
  })

  it('show that a drive is connected again, however many of them a person has moved away', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `customer-${index}`)
    for (const name of names) await make(name)
    for (const name of names.slice(1)) rmSync(join(drive, name), { recursive: true })
    reconnect()
    await checkDrive(join(drive, 'new'))
    await make('new')
    rmSync(join(drive, 'customer-0'), { recursive: true })
    await checkDrive(join(drive, 'newer'))
  })
})
