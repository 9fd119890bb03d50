/** `npm run sandbox`: builds what is missing and starts the simulated service alone. */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { install, root } from './install.mjs'

install()
const { build } = await import('./build.mjs')
build()
await import(pathToFileURL(join(root, 'dist', 'sandbox', 'cli.js')).href)
