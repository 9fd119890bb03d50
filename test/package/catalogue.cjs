/**
 * Answers node-red-dev's requests to the Flow Library's catalog with the modules in EID_CATALOGUE; all other requests
 * are sent as usual.
 */
/** @type {any} */
const Module = require('node:module')

const load = Module._load
const modules = JSON.parse(process.env.EID_CATALOGUE ?? '[]')

Module._load = function (name, ...more) {
  const loaded = load.call(this, name, ...more)
  if (name !== 'axios') return loaded
  const get = (url, options) =>
    url.startsWith('https://catalogue.nodered.org/') ? Promise.resolve({ data: { modules } }) : loaded.get(url, options)
  return Object.assign(Object.create(loaded), { get })
}
