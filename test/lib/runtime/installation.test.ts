/** The stored id of a Node-RED: generated once, never changed, and different for another folder. */
import should from 'should'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installationId } from '../../../lib/runtime/files/installation'
import { temporaryFolder } from '../../support/temporary-folder'

describe('the id of an installation', () => {
  let folder: ReturnType<typeof temporaryFolder>
  beforeEach(() => (folder = temporaryFolder()))
  afterEach(() => folder.remove())
  const path = () => join(folder.path, 'eid', 'installation')

  it('is made once, also when it is asked for twice at once, and only its owner may read it', async () => {
    const [one, two] = await Promise.all([installationId(folder.path), installationId(folder.path)])
    should(one)
      .equal(two)
      .and.match(/^[\da-f-]{36}$/)
    should(readFileSync(path(), 'utf8')).equal(one)
    if (process.platform !== 'win32') should(statSync(path()).mode & 0o777).equal(0o600)
  })

  it('is the one that an earlier process has kept', async () => {
    mkdirSync(join(folder.path, 'eid'))
    writeFileSync(path(), '0b6c1a52-6a0f-4c7e-9d0d-0a3f5a1c2b3d')
    should(await installationId(folder.path)).equal('0b6c1a52-6a0f-4c7e-9d0d-0a3f5a1c2b3d')
  })

  for (const left of ['', '0b6c', '\0'.repeat(36)]) {
    it(`is made again where a full disk or a power cut has left ${JSON.stringify(left)}`, async () => {
      mkdirSync(join(folder.path, 'eid'))
      writeFileSync(path(), left)
      const id = await installationId(folder.path)
      should(readFileSync(path(), 'utf8')).equal(id)
      should(readdirSync(join(folder.path, 'eid'))).deepEqual(['installation'])
    })
  }

  it('lasts until the end of the process where nothing can be kept', async () => {
    const unkept = await installationId(undefined)
    should(await installationId(undefined)).equal(unkept)
    // A file with the folder's name, and a folder with the file's name.
    writeFileSync(join(folder.path, 'eid'), '')
    should(await installationId(folder.path)).equal(unkept)
    mkdirSync(join(folder.path, 'third', 'eid', 'installation'), { recursive: true })
    should(await installationId(join(folder.path, 'third'))).equal(unkept)
  })
})
