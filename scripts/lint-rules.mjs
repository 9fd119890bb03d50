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

export default { meta: { name: 'eid' }, rules: { 'no-spread-of-literal': noSpreadOfLiteral } }
