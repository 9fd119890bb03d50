/**
 * Folders for a saved file are created one at a time, so that a file system that never has room for one does not cause
 * endless attempts.
 */
import should from 'should'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFolders } from '../../../lib/runtime/files/save-file'

const never = new AbortController().signal
const failWith = (code: string) => Promise.reject(Object.assign(new Error(code), { code }))

describe('the folders of a file that is saved', () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'eid-folders-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it('are tried once each, and no longer, where none can be made', async () => {
    const tried: string[] = []
    const make = (path: string) => {
      tried.push(path)
      return failWith('ENOENT')
    }
    await should(makeFolders(join(folder, 'nope', 'x'), never, make)).rejectedWith({ code: 'ENOENT' })
    should(tried).deepEqual([join(folder, 'nope')])
  })

  it('may be made by two at once', async () => {
    const path = join(folder, 'a', 'b', 'c')
    await Promise.all([makeFolders(path, never), makeFolders(path, never), makeFolders(path, never)])
    should(statSync(path).isDirectory()).be.true()
  })

  it('are not created where a file appears at that very moment', async () => {
    const make = (path: string) => {
      writeFileSync(path, '')
      return mkdir(path)
    }
    await should(makeFolders(join(folder, 'a'), never, make)).rejectedWith({ code: 'ENOTDIR' })
  })

  it('are waited for no longer than the message lives', async () => {
    const stop = new AbortController()
    const made = makeFolders(join(folder, 'a', 'b'), stop.signal, () => {
      stop.abort()
      return Promise.resolve()
    })
    await should(made).rejectedWith({ name: 'AbortError' })
  })
})
