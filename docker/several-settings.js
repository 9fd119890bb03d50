// Settings of the Node-REDs of several.yml. With FLOWS_FROM it works beside another one: it reads that one's flows, and has no editor.
const { copyFileSync, existsSync } = require('node:fs')

const { FLOWS_FROM: from, CREDENTIAL_SECRET: credentialSecret } = process.env
for (const file of from ? ['flows.json', 'flows_cred.json'] : []) {
  if (existsSync(`${from}/${file}`)) copyFileSync(`${from}/${file}`, `/data/${file}`)
}

module.exports = { flowFile: 'flows.json', credentialSecret, uiPort: 1880, ...(from && { httpAdminRoot: false }) }
