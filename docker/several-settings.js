// Settings of the Node-REDs in several.yml. With FLOWS_FROM, a Node-RED copies the flows of the first one when it starts,
// and has no editor.
const { copyFileSync, existsSync } = require('node:fs')

const { FLOWS_FROM: from, CREDENTIAL_SECRET: credentialSecret } = process.env
for (const file of from ? ['flows.json', 'flows_cred.json'] : []) {
  if (existsSync(`${from}/${file}`)) copyFileSync(`${from}/${file}`, `/data/${file}`)
}

module.exports = { flowFile: 'flows.json', credentialSecret, uiPort: 1880, ...(from && { httpAdminRoot: false }) }
