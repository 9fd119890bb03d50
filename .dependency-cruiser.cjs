/**
 * Imports point one way. There are no cycles between files, not even of types: a type that two files need has a file of
 * its own. Each folder imports only from those below it.
 */

/** The folders from bottom to top; in each list, a folder may import from those before it. */
const house = [
  ['lib/common', 'lib/page', 'lib/settings', 'lib/api', 'lib/store', 'lib/runtime', 'nodes'],
  ['lib/api/errors', 'lib/api/operations', 'lib/api/http', 'lib/api/call', 'lib/api/token'],
  [
    'lib/runtime/node-red',
    'lib/runtime/files',
    'lib/runtime/values',
    'lib/runtime/monitor',
    'lib/runtime/http',
    'lib/runtime/journal',
    'lib/runtime/node',
    'lib/runtime/service',
    'lib/runtime/people',
  ],
  ['lib/settings', 'lib/editor'],
  ['lib/runtime', 'plugins'],
  ['nodes/batch/rows', 'nodes/batch/run', 'nodes/batch/cluster'],
]

/** Which folders and files must not import from which others, besides. */
const apart = [
  ['lib/(api|store)/', ['lib/editor', 'plugins', 'sandbox', 'node_modules/(@node-red|node-red)']],
  ['lib/runtime/', ['lib/editor', 'plugins', 'sandbox']],
  ['lib/page/', ['lib/editor', 'plugins', 'nodes', 'sandbox']],
  ['lib/editor/', ['lib/api', 'lib/store', 'lib/runtime', 'nodes', 'plugins', 'sandbox']],
  ['sandbox/', ['lib/runtime/(?!files)[^/]+', 'lib/editor', 'nodes', 'plugins']],
  ['plugins/', ['nodes', 'sandbox']],
  ['plugins/.+[.]editor[.]ts$', ['lib/api', 'lib/store', 'lib/runtime']],
  ['nodes/(?!client/)', ['plugins', 'sandbox']],
  ['nodes/.+[.]editor[.]ts$', ['lib/runtime', 'sandbox']],
]

/** One rule per folder. */
const rooms = [
  ...house.flatMap((floors) => floors.slice(0, -1).map((room, index) => [`${room}/`, floors.slice(index + 1)])),
  ...apart,
].map(([from, unknown]) => ({
  name: `${from} imports nothing from ${unknown.join(', ')}`,
  severity: 'error',
  from: { path: `^${from}` },
  to: { path: `^(${unknown.join('|')})/` },
}))

module.exports = {
  forbidden: [
    { name: 'no circles', severity: 'error', from: {}, to: { circular: true } },
    ...rooms,
    {
      name: 'no node knows another one, but the client, which says what each of them needs',
      severity: 'error',
      from: { path: '^nodes/(?!client/)([^/]+)/' },
      to: { path: '^nodes/', pathNot: '^nodes/$1/' },
    },
    {
      name: 'the drivers do not know each other, nor the stores that use them',
      severity: 'error',
      from: { path: '^lib/store/drivers/(sqlite|postgres)/' },
      to: { path: '^lib/store/(drivers|local|open|embedded|sql-store|worker)', pathNot: '^lib/store/drivers/$1/' },
    },
    {
      name: 'the parts of a queue of batch do not know each other, nor the queue',
      severity: 'error',
      from: { path: '^nodes/batch/run/(dispatcher|lists|progress|report|ended-lists|queue-options)[.]ts$' },
      to: { path: '^nodes/batch/run/(dispatcher|lists|progress|report|ended-lists|queue|queue-options)[.]ts$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.build.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'] },
  },
}
