/** Builds what the editor loads for a node: its form with an input for each setting, and its bundled script. */
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { root } from './install.mjs'

/**
 * Replaces each `<row name="title" icon="tag">` by the label and input of one setting; the content of the row comes
 * after the input.
 */
export function expandRows(html, { fields, credentials = {}, isConfig }) {
  const prefix = isConfig ? 'node-config-input' : 'node-input'
  const expanded = html.replace(
    /<row name="(\w+)"(?: icon="([\w-]+)")?>([\s\S]*?)<\/row>/g,
    (_whole, name, icon, inside) => {
      const id = `${prefix}-${name}`
      const label = `<label for="${id}">${icon ? `<i class="fa fa-${icon}"></i> ` : ''}<span data-i18n="fields.${name}"></span>${starOf(fields[name] ?? credentials[name])}</label>`
      return `<div class="form-row" data-row="${name}">${label}${inputOf(id, fields[name] ?? credentials[name], name)}${inside.trim()}</div>`
    },
  )
  return withoutQuotes(withFold(expanded))
}

/** `<fold>` contains the settings that only people who build flows of their own need. The form opens it if one is set. */
function withFold(html) {
  return html.replace('<fold>', '<details class="eid-developers"><summary></summary>').replace('</fold>', '</details>')
}

/**
 * Attributes whose value is a single word need no quotes. They are left out because the editor loads every form on every
 * start. The names of forms and inputs keep theirs, because other tools look for them.
 */
function withoutQuotes(html) {
  return html.replace(/<[a-z][^<>]*>/g, (tag) => tag.replace(/ (?!id=|data-template)([\w-]+)="([\w.-]+)"/g, ' $1=$2'))
}

/**
 * The star of a setting that must be filled in. A required client gets no star, because a client is always chosen
 * already.
 */
function starOf(field) {
  const isNeeded = field?.starred || (field?.required && field.kind !== 'config')
  return isNeeded ? '<span class="eid-star" aria-hidden="true">*</span>' : ''
}

function inputOf(id, field, name) {
  const needed = field?.starred ? ' aria-required="true"' : ''
  if (field?.type === 'password') return `<input type="password" autocomplete="new-password"${needed} id="${id}">`
  if (field?.kind === 'choice') {
    const option = (value) => `<option value="${value}" data-i18n="choices.${name}.${value}"></option>`
    const options = field.groups ? groupsOf(field.groups, name, option) : field.choices.map(option)
    return `<select id="${id}">${options.join('')}</select>`
  }
  if (field?.kind === 'flag') return `<input type="checkbox" id="${id}" class="eid-flag">`
  if (field?.kind === 'count') return `<input type="text" inputmode="decimal" id="${id}">`
  return `<input type="text"${needed} id="${id}">`
}

function groupsOf(groups, name, option) {
  return Object.entries(groups).map(([group, values]) => {
    const options = values.map(option).join('')
    return `<optgroup data-i18n="[label]groups.${name}.${group}">${options}</optgroup>`
  })
}

/**
 * The bundled editor code with the settings as an inline literal, so that a tool can read them without running the
 * code.
 */
export function editorScript(name, { fields, credentials }) {
  const script = bundle(join(root, 'nodes', name, `${name}.editor.ts`))
  const literalFor = (form) => `{${Object.entries(fields).map(([key, field]) => defaultsOf(key, field, form))}}`
  const secrets = credentials ? JSON.stringify(credentials) : '{}'
  const own = credentials ? `credentials:${secrets},` : ''
  const filled = script
    .replace(/\.\.\.__COMMON__\(([\w$]+)\)/, (_call, form) => own + commonOf(name, form, literalFor(form)))
    .replace(/__DEFAULTS__\(([\w$]+)\)/, (_call, form) => literalFor(form))
    .replace('__CREDENTIALS__', () => secrets)
  if (/__[A-Z]+__\(/.test(filled) || !filled.includes(`registerType("eid-${name}"`)) {
    throw new Error(
      `${name}.editor.ts must register "eid-${name}" with ...__COMMON__(form) or defaults: __DEFAULTS__(form)`,
    )
  }
  return `<script type="text/javascript">\n${filled.trim()}\n</script>`
}

/** Bundles an editor part into one script; `entry` is the file with which it begins. */
export function bundle(entry) {
  const [result] = buildSync({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2020',
    charset: 'utf8',
    legalComments: 'none',
    // The script is minified, because the editor loads it on every start.
    minify: true,
  }).outputFiles
  return result.text
}

/** The nodes for people who build flows of their own. They have a category of their own, so that the first one stays short. */
const advanced = ['pending', 'events', 'webhook', 'request']

/** The part that the definitions of all nodes in the palette have in common. */
function commonOf(name, form, defaults) {
  const functions = [
    'paletteLabel',
    'labelStyle',
    'onpaletteadd',
    'onadd',
    'oneditprepare',
    'oneditsave',
    'oneditresize',
  ]
  const from = functions.map((one) => `${one}:${form}.common.${one}`)
  return [
    `category:"${advanced.includes(name) ? 'eID advanced' : 'eID'}"`,
    `categoryDescription:${form}.about`,
    `icon:"${name}.svg"`,
    `defaults:${defaults}`,
    ...from,
  ].join(',')
}

/** The definition of one setting, as Node-RED expects it; `form` is the name of the form in the bundle. */
function defaultsOf(name, field, form) {
  const value = `value:${JSON.stringify(field.initial)}`
  const label = `label:${form}.label("${name}")`
  if (field.kind === 'label') return `${name}:{${value}}`
  if (field.kind === 'config') {
    return `${name}:{value:"",type:${JSON.stringify(field.config)},required:${field.required === true},${label}}`
  }
  const own = `${name}:{${value},${label},validate:${form}.valid("${name}")}`
  if (field.type === undefined) return own
  const type = `${name}Type:{value:${JSON.stringify(field.type)}}`
  return field.rows ? `${own},${type},${name}Rows:{value:[]}` : `${own},${type}`
}
