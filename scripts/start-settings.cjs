/** Settings of the Node-RED that `npm start` runs: only this machine can reach it, and the tour's steps are printed. */
const port = Number(process.env.EID_START_PORT)

module.exports = {
  uiHost: '127.0.0.1',
  uiPort: port,
  flowFile: 'flows.json',
  credentialSecret: 'the tour holds no secrets',
  fileWorkingDirectory: __dirname,
  telemetry: { enabled: false, updateNotification: false },
  httpAdminMiddleware: withOwnAddress,
  editorTheme: { tours: false, projects: {} },
  logging: { console: { level: 'warn' }, tour: { level: 'info', handler: () => print } },
}

/** Puts the address of this Node-RED into imported examples, in place of the usual address. */
function withOwnAddress(request, response, next) {
  if (/\/library\/.*examples/.test(request.url)) {
    const own = (text) => text.replaceAll('http://127.0.0.1:1880', `http://127.0.0.1:${port}`)
    const { write, json } = response
    response.write = (text, ...rest) => write.call(response, typeof text === 'string' ? own(text) : text, ...rest)
    response.json = (value) => json.call(response, JSON.parse(own(JSON.stringify(value))))
  }
  next()
}

const seen = { end: false }

/** Prints the messages of the tour's debug nodes; with the last step, the addresses too. */
function print(entry) {
  if (entry.type !== 'debug' || !String(entry.name).startsWith('tour')) return
  console.log(`  ${entry.msg}`)
  if (entry.name === 'tour: end' && !seen.end) {
    seen.end = true
    console.log(`\nEditor:       http://127.0.0.1:${port}/`)
    console.log(`Control room: http://127.0.0.1:${process.env.EID_SANDBOX_PORT}/\n\nCtrl-C ends it.`)
  }
}
