/** An archive on a full disk with a file system that has no hard links, such as some network shares. */
import fs from 'node:fs/promises'
import { readdirSync, writeFileSync } from 'node:fs'
import should from 'should'
import { claimIndex } from '../../../nodes/archive/index-owner'
import { temporaryFolder } from '../../support/temporary-folder'

const works = { link: fs.link, writeFile: fs.writeFile }
const failed = (code: string) => Promise.reject(Object.assign(new Error(code), { code, syscall: 'write' }))

describe('an archive on a file system without hard links', () => {
  let folder: string
  let remove: () => void
  beforeEach(() => {
    ;({ path: folder, remove } = temporaryFolder())
    fs.link = () => failed('EPERM')
  })
  afterEach(() => {
    Object.assign(fs, works)
    remove()
  })

  const claim = () => claimIndex(folder, { id: 'a', names: ['index', 'index-a'] })

  it('has its usual index', async () => {
    should(await claim()).equal('index.jsonl')
    should(readdirSync(folder)).deepEqual(['.index.owner'])
  })

  it('has it also after the disk was full when it began', async () => {
    const fill: typeof fs.writeFile = (path, ...more) => {
      if (!String(path).endsWith('.owner')) return works.writeFile(path, ...more)
      writeFileSync(String(path), '')
      return failed('ENOSPC')
    }
    fs.writeFile = fill
    await should(claim()).be.rejectedWith({ code: 'ENOSPC' })
    should(readdirSync(folder)).deepEqual([])
    fs.writeFile = works.writeFile
    should(await claim()).equal('index.jsonl')
  })
})
