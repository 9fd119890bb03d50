/** Which archives show that the drive on which they are is connected, and which do not. */
import should from 'should'
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkDrive, noteArchive } from '../../../nodes/archive/known-archives'
import { archiveFolder } from '../../support/files/archive-folder'
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

  for (const [what, spoil] of [
    ['missing', (path: string) => rmSync(path)],
    ['still empty', (path: string) => writeFileSync(path, '{"lines":0,"sha256":""}\n')],
    ['not readable', (path: string) => (rmSync(path), symlinkSync(path, path))],
  ] as const) {
    it(`are told apart from others of the same path also if their seal is ${what}`, async () => {
      const kari = join(drive, 'kari')
      const add = async (document: string) => {
        mkdirSync(kari, { recursive: true })
        await archiveFolder(kari).add(document)
      }
      await add('earlier')
      renameSync(drive, `${drive}-local`)
      await add('d-1')
      spoil(join(kari, '.index.last'))
      await noteArchive(kari)
      renameSync(drive, `${drive}-away`)
      renameSync(`${drive}-local`, drive)
      await should(checkDrive(kari)).be.rejectedWith({ code: 'GONE' })
    })
  }

  it('are not taken for earlier ones of the same path on the local disk', async () => {
    const add = async (document: string, index?: string) => {
      mkdirSync(join(drive, 'kari'), { recursive: true })
      await archiveFolder(join(drive, 'kari'), index).add(document)
    }
    const isGone = () => should(checkDrive(join(drive, 'kari'))).be.rejectedWith({ code: 'GONE' })
    await add('d-1')
    cpSync(drive, `${drive}-local`, { recursive: true })
    await add('d-2')
    await noteArchive(join(drive, 'kari'))
    renameSync(drive, `${drive}-away`)
    renameSync(`${drive}-local`, drive)
    await isGone()
    await isRefused('ola')
    // Nothing makes the earlier one the known one.
    await noteArchive(join(drive, 'kari'))
    await isGone()
    await isRefused('ola')
    renameSync(drive, `${drive}-local`)
    renameSync(`${drive}-away`, drive)
    // Another Node-RED may have added lines, and a drive that was connected again may have another identity.
    await add('d-3')
    await add('d-4', 'index-other.jsonl')
    reconnect()
    await checkDrive(join(drive, 'kari'))
    await checkDrive(join(drive, 'ola'))
  })

  it('are the same ones as long as their folder is the same, even if someone has emptied the index', async () => {
    await make('kari')
    await archiveFolder(join(drive, 'kari')).add('d-1')
    await noteArchive(join(drive, 'kari'))
    writeFileSync(join(drive, 'kari', 'index.jsonl'), '')
    await checkDrive(join(drive, 'kari'))
  })

  it('are not looked for again at each document while their drive is not connected', async () => {
    await make('kari')
    renameSync(drive, `${drive}-away`)
    await make('left behind')
    // No one looks for it in the next seconds, so this is not noticed yet.
    cpSync(join(`${drive}-away`, 'kari'), join(drive, 'kari'), { recursive: true })
    await isRefused('ola')
    reconnect()
    await checkDrive(join(drive, 'ola'))
  })
})
