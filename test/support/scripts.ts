/** Loads the project's own scripts, which are ES modules. */
import { join } from 'node:path'
import { root } from './house'

const importModule = require('./import-module.cjs') as (path: string) => Promise<unknown>

/** The exports of `scripts/<name>.mjs`. */
export const loadScript = async <T>(name: string) => (await importModule(join(root, 'scripts', `${name}.mjs`))) as T
