/** The flows of a group in Node-RED's format: each history has its own tab, with taps that record passing messages. */
import { partsOf, type Group, type History, type Shape } from './plan'

export interface FlowOptions {
  /** Address of the service. */
  readonly baseUrl: string
  /** Address of the database, for the stores that have one. */
  readonly database: string | undefined
  /** Separates the data of this group in the database from that of other groups. */
  readonly namespace: string
}

/** The kind of nodes that a deploy renames. */
export type Renamed = 'work' | 'wait' | 'batch'

const secondKey = { externalId: 'externalId & "-2"', externalIdType: 'jsonata' }
const name = '(batch ? batch.key : topic)'
const people = `"email": "ola@example.com"`
const documentBody = (part: string) => `{
  "title": "${part} " & ${name}, "contactDetails": {${people}},
  "dataToSign": {"fileName": "c.txt", "base64Content": "YWdyZWVk"},
  "signers": [{"externalSignerId": "ola-1", "redirectSettings": {"redirectMode": "donot_redirect"},
    "signatureType": {"mechanism": "pkisignature"}, "signerInfo": {"firstName": "Ola", ${people}}}]
}`
const depositBody = (part: string) => `{
  "externalId": "${part} " & ${name}, "tenants": [{"info": {"firstName": "Ola", "lastName": "Nordmann", ${people}}}],
  "landlord": {"name": "Kari Nordmann"}, "contract": {"depositAmount": 30000}
}`
const shareBody = `{
  "information": {"title": "share " & ${name}, "description": "For Ola"},
  "content": [{"id": "a", "name": "a", "type": "file"}],
  "recipients": [{"firstName": "Ola", "lastName": "Nordmann", ${people}, "expires": "2030-01-01T00:00:00+01:00",
    "mobile": {"countryCode": "47", "number": "99999999"}, "uploads": ["a"], "authentication": []}]
}`
const body = (expression: string) => ({ body: expression, bodyType: 'jsonata' })

const workers: Readonly<Record<string, object>> = {
  first: { type: 'eid-create-document', ...body(documentBody('first')) },
  second: { type: 'eid-create-document', ...body(documentBody('second')), ...secondKey },
  deposit: { type: 'eid-deposit', operation: 'create', ...body(depositBody('deposit')) },
  other: { type: 'eid-deposit', operation: 'create', ...body(depositBody('other')) },
  share: { type: 'eid-share-create', ...body(shareBody) },
  upload: {
    type: 'eid-share-upload',
    contentId: 'a',
    contentIdType: 'str',
    file: 'YWdyZWVk',
    fileType: 'base64',
    fileName: 'a.txt',
    fileNameType: 'str',
  },
}

const hasWait = (shape: Shape) => shape.startsWith('wait')

/** All flows; everything that a deploy changes has `round` in its name. */
export function createFlows({ histories }: Group, options: FlowOptions, round: number, renamed?: Renamed): object[] {
  const { baseUrl, database, namespace } = options
  const credentials = { clientId: 'sandbox', clientSecret: 'sandbox' }
  const client = {
    id: 'c',
    type: 'eid-client',
    baseUrl,
    timeout: 20,
    retries: 2,
    sharePaths: 'buckets',
    concurrency: 32,
  }
  const shared = { id: 's', type: 'eid-store', address: database, takeOver: 3, namespace }
  return [
    { ...client, credentials },
    ...(database === undefined ? [] : [shared]),
    ...histories.flatMap((history) => createFlow(history, database !== undefined, round, renamed)),
  ]
}

function createFlow(history: History, isShared: boolean, round: number, renamed: Renamed | undefined): object[] {
  const { n, shape, parallel, catchTo } = history
  const on = (id: string) => ({ id: `${id}-${n}`, z: `t-${n}`, x: 1, y: 1 })
  const to = (...ids: string[]) => ids.map((id) => `${id}-${n}`)
  const named = (kind: Renamed) => ({ name: renamed === kind ? `round ${round}` : kind })
  const keeping = isShared ? { shared: 's' } : {}
  const parts = partsOf[shape]
  const [first = ''] = parts
  const isBatch = shape !== 'messages'
  const home = isBatch ? 'b' : 'end'
  const tap = (id: string, ...wires: string[]) => ({ ...on(id), type: 'model-tap', wires: [to(...wires)] })
  const afterLast = shape === 'wait-within' ? ['enter'] : shape === 'wait-beside' ? [home, 'enter'] : [home]
  const working = parts.map((part, at) => {
    const next = parts[at + 1]
    return { ...on(part), ...workers[part], ...named('work'), client: 'c', wires: [to(...(next ? [next] : afterLast))] }
  })
  const back = shape === 'wait-within' ? [home] : []
  const waiting = hasWait(shape) && [
    tap('enter', 'w'),
    {
      ...on('w'),
      type: 'eid-wait',
      client: 'c',
      pollInterval: '1',
      maxInterval: '5',
      ...keeping,
      ...named('wait'),
      wires: [0, 1, 2].map((output) => to(`out${output}`)),
    },
    ...[0, 1, 2].map((output) => tap(`out${output}`, ...back)),
    { ...on('catch-w'), type: 'catch', scope: to('w'), uncaught: false, wires: [to('caught-w')] },
    tap('caught-w', ...back),
  ]
  const list = { rows: 'payload', rowsType: 'msg', key: 'payload.name', keyType: 'msg', parallel, attempts: 2 }
  const batch = isBatch && [
    { ...on('b'), type: 'eid-batch', ...list, ...keeping, ...named('batch'), wires: [to('row'), to('report')] },
    tap('row', first),
    tap('report'),
    { ...on('catch-b'), type: 'catch', scope: to('b'), uncaught: false, wires: [to('caught-b')] },
    tap('caught-b'),
  ]
  return [
    { id: `t-${n}`, type: 'tab', label: `history ${n}` },
    ...(batch || [tap('end')]),
    ...working,
    ...(waiting || []),
    { ...on('catch'), type: 'catch', scope: to(...parts), uncaught: false, wires: [to('caught')] },
    tap('caught', catchTo === 'node' ? 'again' : home),
    { ...on('again'), type: 'model-again', wires: [to(first), to(home)] },
  ]
}
