/** A test run with a folder, and with a program that never ends. Reports both to its parent and waits to be killed. */
import { spawn } from 'node:child_process'
import { temporaryFolder } from '../support/temporary-folder'
import { beginRun, useRunFolder } from '../support/run-folder'

beginRun()
useRunFolder()
const { path } = temporaryFolder()
const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' })
process.send?.({ run: process.env.EID_RUN_FOLDER, path, pid })
setInterval(() => undefined, 1000)
