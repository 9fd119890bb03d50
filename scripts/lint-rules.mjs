/** The project's own rules for the linter (.oxlintrc.json). */

/** Reports `...{ a, b }` and `...[a, b]`: the parts can stand in the outer literal, one thought a line. */
const noSpreadOfLiteral = {
  meta: { type: 'suggestion' },
  create: (context) => ({
    SpreadElement(node) {
      const { type } = node.argument
      if (type !== 'ObjectExpression' && type !== 'ArrayExpression') return
      context.report({ node, message: 'Write the parts of this literal into the outer one instead of spreading it.' })
    },
  }),
}

/**
 * Reports a variable, an empty list or an empty Map or Set on a module: what lives as long as one Node-RED is `hosted`
 * (lib/runtime/node-red/host.ts), so that a test makes its own. A WeakMap lives as long as its keys, which may stand on
 * a module. So may what is the same for every Node-RED: what was read from the package or from a file. The files that
 * keep such things are named in .oxlintrc.json.
 */
const noModuleState = {
  meta: { type: 'suggestion' },
  create: (context) => ({
    Program({ body }) {
      const declared = body.map((one) => one.declaration ?? one).filter(({ type }) => type === 'VariableDeclaration')
      for (const { kind, declarations } of declared) {
        for (const { id, init } of declarations) {
          const isEmpty =
            (init?.type === 'NewExpression' &&
              ['Map', 'Set'].includes(init.callee.name) &&
              init.arguments.length === 0) ||
            (init?.type === 'ArrayExpression' && init.elements.length === 0)
          if (kind === 'let' || isEmpty) context.report({ node: id, message: 'Keep this with its Node-RED: `hosted`.' })
        }
      }
    },
  }),
}

export default {
  meta: { name: 'eid' },
  rules: { 'no-spread-of-literal': noSpreadOfLiteral, 'no-module-state': noModuleState },
}
