/**
 * Settings of the Node-RED that `npm start` runs: only this machine can reach it; the tour's steps are
 * printed plainly.
 */
const port = Number(process.env.EID_START_PORT)

module.exports = {
  uiHost: '127.0.0.1',
  uiPort: port,
  flowFile: 'flows.json',
  credentialSecret: 'the tour holds no secrets',
  fileWorkingDirectory: __dirname,
  telemetry: { enabled: false, updateNotification: false },
  editorTheme: { tours: false, projects: {} },
  logging: { console: { level: 'warn' }, tour: { level: 'info', handler: () => print } },
}

const seen = { end: false }

/** Prints what the tour's debug nodes say; the last step brings the addresses. */
function print(entry) {
  if (entry.type !== 'debug' || !String(entry.name).startsWith('tour')) return
  console.log(`  ${entry.msg}`)
  if (entry.name === 'tour: end' && !seen.end) {
    seen.end = true
    console.log(`\nEditor:       http://127.0.0.1:${port}/`)
    console.log(`Control room: http://127.0.0.1:${process.env.EID_SANDBOX_PORT}/\n\nCtrl-C ends it.`)
  }
}
