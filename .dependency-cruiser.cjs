/**
 * Imports point one way. There are no cycles between files, not even of types: a type that two files need has a file of
 * its own. Each folder imports only from those below it.
 */

/** The folders from bottom to top; in each list, a folder may import from those before it. */
const house = [
  ['lib/common', 'lib/settings', 'lib/api', 'lib/store', 'lib/runtime', 'nodes'],
  ['lib/api/errors', 'lib/api/operations', 'lib/api/http', 'lib/api/call', 'lib/api/token'],
  [
    'lib/runtime/node-red',
    'lib/runtime/files',
    'lib/runtime/values',
    'lib/runtime/monitor',
    'lib/runtime/http',
    'lib/runtime/node',
    'lib/runtime/service',
  ],
  ['lib/settings', 'lib/editor'],
  ['lib/runtime', 'plugins'],
  ['nodes/batch/rows', 'nodes/batch/run', 'nodes/batch/cluster'],
]

/** One rule per folder: it must not import from those above it. */
const rooms = house.flatMap((floors) =>
  floors.slice(0, -1).map((room, index) => ({
    name: `${room} knows no ${floors
      .slice(index + 1)
      .map((above) => above.split('/').at(-1))
      .join(', ')}`,
    severity: 'error',
    from: { path: `^${room}/` },
    to: { path: `^(${floors.slice(index + 1).join('|')})/` },
  })),
)

module.exports = {
  forbidden: [
    { name: 'no circles', severity: 'error', from: {}, to: { circular: true } },
    ...rooms,
    {
      name: 'the two ways of keeping do not know each other, nor who chooses between them',
      severity: 'error',
      from: { path: '^lib/store/(local|postgres)/' },
      to: { path: '^lib/store/(local|postgres|open|worker)', pathNot: '^lib/store/$1/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'] },
  },
}
