/**
 * Loaded into the thread of an embedded database: lets its disk fail or be slow, as the file named by EID_TEST_DISK says
 * at the moment: `{ "fail": "ENOSPC" }` or `{ "syncMs": 50 }`.
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
const { fsyncSync } = fs
fs.fsyncSync = (file) => {
  const { syncMs } = faults()
  if (syncMs) pause(syncMs)
  return fsyncSync(file)
}
