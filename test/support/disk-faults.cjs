/**
 * Loaded into the thread of an embedded database: lets its disk fail or be slow, as the file named by EID_TEST_DISK says
 * at the moment: `{ "fail": "ENOSPC" }` or `{ "syncMs": 50 }`. With `EROFS`, as on a read-only disk, no file can be
 * opened for writing either.
 */
const fs = require('node:fs')

const { existsSync, readFileSync } = fs
const path = process.env.EID_TEST_DISK
const faults = () => (path && existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {})
const pause = (milliseconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)

for (const name of ['writeSync', 'writeFileSync']) {
  const original = fs[name]
  fs[name] = (...args) => {
    const { fail } = faults()
    if (fail) throw Object.assign(new Error(`${fail}: of the test`), { code: fail, syscall: 'write' })
    return original(...args)
  }
}
const { openSync } = fs
fs.openSync = (file, flags, ...more) => {
  const isWriting = typeof flags === 'number' ? (flags & 3) !== fs.constants.O_RDONLY : /[wa+]/.test(flags)
  if (isWriting && faults().fail === 'EROFS') throw Object.assign(new Error('EROFS: of the test'), { code: 'EROFS' })
  return openSync(file, flags, ...more)
}
const { fsyncSync } = fs
fs.fsyncSync = (file) => {
  const { syncMs } = faults()
  if (syncMs) pause(syncMs)
  return fsyncSync(file)
}
