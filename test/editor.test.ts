/**
 * What all parts of the editor have in common: they are small, use Node-RED's own colors, and share one set of rules.
 */
import should from 'should'
import { isTyped, type Fields } from '../lib/settings/fields'
import { rules } from '../lib/settings/rules'
import { neededScopes } from '../nodes/client/needs'
import { fields as waitFields } from '../nodes/wait/wait.fields'
import { catalog, exists, fieldsOf, flatten, languages, nodeNames, onCanvas, pluginNames, read } from './support/house'

const kilobytes = 280

describe('the editor parts', () => {
  it(`weigh at most ${kilobytes} kB together`, () => {
    const built = nodeNames.map((name) => read('dist', 'nodes', name, `${name}.html`))
    const weight = built.reduce((sum, html) => sum + Buffer.byteLength(html), 0)
    should(weight).be.belowOrEqual(kilobytes * 1000)
    for (const name of pluginNames) should(read('dist', 'plugins', name, `${name}.html`).length).be.belowOrEqual(37_000)
  })

  it('call their inputs as Node-RED looks for them: others for a config node', () => {
    for (const name of nodeNames) {
      const html = read('dist', 'nodes', name, `${name}.html`)
      const prefix = onCanvas.includes(name) ? 'node-input' : 'node-config-input'
      const ids = [...html.matchAll(/ id="(node-(?:config-)?input)-(\w+)"/g)]
      should(ids.filter(([, one]) => one !== prefix)).be.empty()
      should(ids.map(([, , id]) => id)).containEql('name')
    }
  })

  it('take their colors from Node-RED', () => {
    const nodes = nodeNames.map((name) => ['nodes', name] as const)
    for (const [room, name] of [...nodes, ...pluginNames.map((one) => ['plugins', one] as const)]) {
      const html = read(room, name, `${name}.html`)
      should(html.match(/#[\da-f]{3,6}\b(?=[^{}]*[;}])|rgba?\(|hsla?\(/gi) ?? []).deepEqual([], name)
    }
  })

  it('register with a literal type, color and icon, and an icon that exists', () => {
    for (const name of nodeNames) {
      const html = read('dist', 'nodes', name, `${name}.html`)
      should(html).containEql(`registerType("eid-${name}",{`)
      should(html).not.match(/defaults:\{[^}]*\.\.\./)
      should(exists('icons', `${name}.svg`)).be.true()
      const built = `dist/nodes/${name}/icons/${name}.svg`
      if (exists(built)) should(read(built)).equal(read('icons', `${name}.svg`), name)
    }
  })

  it('write the name that a person gave in italics, as core nodes do', () => {
    const italic = /labelStyle\(\)\{return this\.name\?"node_label_italic":""\}/
    should(read('dist', 'nodes', 'client', 'client.html')).match(italic)
  })

  it('have colors on which the label and the white icon can be read', () => {
    for (const name of nodeNames.filter((one) => !['client', 'store'].includes(one))) {
      const [, colour = ''] = read('nodes', name, `${name}.editor.ts`).match(/color: '(#[\dA-F]{6})'/) ?? []
      should(contrast(colour, '#333333')).be.aboveOrEqual(4.5, name)
      should(contrast(colour, '#ffffff')).be.aboveOrEqual(2.5, name)
    }
  })

  it('validate with two parameters, without which the editor shows no reason', () => {
    should(read('dist', 'nodes', 'client', 'client.html')).match(/valid\((\w+)\)\{[^}]*return function\(\w+,\w+\)/)
  })

  it('have a sentence for every rule, in every language', () => {
    const bad = Object.entries(rules).map(([name, rule]) => rule('\u0000 not a value') ?? name)
    for (const language of languages) {
      const texts = flatten(catalog(language, 'client'))
      // As a list of domains, any text with single spaces is accepted; as a path, any text below the root.
      should(bad.filter((key) => !['domains', 'pagePath'].includes(key) && !(`problems.${key}` in texts))).deepEqual([])
      should(texts).have.property('problems.domainSpaces')
    }
  })

  it('know which scopes every node needs by what it is set to do', () => {
    const types = nodeNames
      .map((name) => `eid-${name}`)
      .filter((type) => !/client|request|store|batch|pending|alerts/.test(type))
    const silent = types.filter((type) => neededScopes([{ type, register: true, mayAct: true }]).length === 0)
    should(silent).deepEqual([])
    should(neededScopes([{ type: 'eid-document', operation: 'download' }])).deepEqual(['document_file'])
    should(neededScopes([{ type: 'eid-document', operation: 'download', waitUntilReady: true }])).deepEqual([
      'document_file',
      'document_read',
    ])
    should(neededScopes([{ type: 'eid-document', operation: 'addSigner' }])).deepEqual(['document_write'])
    should(neededScopes([{ type: 'eid-document', operation: 'toString' }])).deepEqual(['document_read'])
    should(neededScopes([{ type: 'eid-wait', what: 'deposit' }, { type: 'eid-webhook' }])).deepEqual(['deposit_read'])
    should(neededScopes([{ type: 'eid-embed' }])).deepEqual(['document_read', 'identify'])
    should(neededScopes([{ type: 'eid-embed', what: 'document' }])).deepEqual(['document_read'])
    // What the other nodes make says what the page is for: ticking the other scope too could stop every call.
    should(neededScopes([{ type: 'eid-identification-session' }, { type: 'eid-embed' }])).deepEqual(['identify'])
  })

  it('know that only a wait with signers sends reminders, whatever was filled in before', () => {
    const { remindAfter, what } = waitFields
    const reminding = what.choices.filter((one) =>
      neededScopes([{ type: 'eid-wait', what: one, remindAfter: '3, 7' }]).includes('document_write'),
    )
    should(reminding).deepEqual(remindAfter.when.what)
    should(neededScopes([{ type: 'eid-wait', remindAfter: '3, 7' }])).containEql('document_write')
    should(neededScopes([{ type: 'eid-wait', what: 'deposit', remindAfter: '3' }], ['deposit_read'])).be.empty()
  })

  it('offer an initial value that their own rule takes', async () => {
    for (const name of nodeNames) should(refused(await fieldsOf(name))).deepEqual([], name)
  })
})

/** Initial values, and values of new rows, that the rule of their setting refuses. */
function refused(fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const rule = field.rule && rules[field.rule]
    const values = [field.initial, field.newRowValue].filter((value) => typeof value === 'string' && value !== '')
    const type = isTyped(field) ? field.type : 'str'
    const own = rule && type === 'str' && values.some((value) => rule(String(value))) ? [name] : []
    return isTyped(field) && field.rows ? [...own, ...refused(field.rows)] : own
  })
}

/** The contrast of two colors, calculated as in WCAG 2. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
