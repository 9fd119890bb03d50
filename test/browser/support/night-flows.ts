/** The flows of an office at night: single leases and a list of leases, alerts by e-mail, and a page for the boss. */

interface Night {
  readonly service: string
  readonly mailPort: number
  /** Whether the flows contain the secrets. Only the first deploy needs them, because Node-RED then keeps them. */
  readonly withSecrets?: boolean
}

const place = (id: string, x: number, y: number) => ({ id, z: 'f', x, y })

const fill = `const { title, email = 'kari.nordmann@example.com', deadline } = msg.payload
msg.title = title
msg.deadline = deadline
msg.signers = [{
  externalSignerId: 'tenant',
  signerInfo: { firstName: 'Kari', lastName: 'Nordmann', email },
  redirectSettings: { redirectMode: 'donot_redirect' },
  signatureType: { mechanism: 'pkisignature' },
}]
return msg`

const document = {
  type: 'eid-create-document',
  client: 'c',
  title: 'title',
  titleType: 'msg',
  contactEmail: 'post@example.com',
  fileName: 'lease.txt',
  fileNameType: 'str',
  file: 'YWdyZWVk',
  fileType: 'str',
  signers: 'signers',
  signersType: 'msg',
  deadline: 'deadline',
  deadlineType: 'msg',
}

export function nightFlows({ service, mailPort, withSecrets = false }: Night): object[] {
  const mail = { server: '127.0.0.1', port: mailPort, secure: false, tls: false, authtype: 'NONE' }
  const rules = [
    { t: 'set', p: 'topic', pt: 'msg', to: 'subject', tot: 'msg' },
    { t: 'set', p: 'payload', pt: 'msg', to: 'text', tot: 'msg' },
  ]
  const answer = { type: 'function', outputs: 1, func: 'msg.payload = { documentId: msg.documentId }; return msg' }
  return [
    { id: 'f', type: 'tab', label: 'Leases' },
    { id: 'c', type: 'eid-client', name: 'Our company', baseUrl: service, retries: 0 },
    { ...place('in', 100, 60), type: 'http in', url: '/lease', method: 'post', wires: [['one']] },
    { ...place('one', 240, 60), type: 'function', outputs: 1, func: fill, wires: [['create']] },
    { ...place('create', 400, 60), ...document, wires: [['wait', 'answer']] },
    {
      ...place('wait', 600, 60),
      type: 'eid-wait',
      name: 'wait for the tenant',
      client: 'c',
      pollInterval: '0.2',
      maxInterval: '0.5',
      wires: [[], [], []],
    },
    { ...place('answer', 600, 120), ...answer, wires: [['out']] },
    { ...place('out', 760, 120), type: 'http response', wires: [] },
    { ...place('list', 100, 200), type: 'http in', url: '/list', method: 'post', wires: [['named']] },
    {
      ...place('named', 240, 200),
      type: 'function',
      outputs: 2,
      func: `return [{ payload: msg.payload, batchId: 'May' }, msg]`,
      wires: [['batch'], ['answer']],
    },
    {
      ...place('batch', 400, 200),
      type: 'eid-batch',
      name: 'leases',
      key: '{unit}',
      keyType: 'tpl',
      attempts: '1',
      parallel: '1',
      wires: [['two'], []],
    },
    { ...place('two', 540, 200), type: 'function', outputs: 1, func: fill, wires: [['make']] },
    { ...place('make', 700, 200), ...document, name: 'make lease', wires: [['batch']] },
    { ...place('catch', 540, 260), type: 'catch', scope: ['make'], wires: [['batch']] },
    { ...place('alerts', 100, 340), type: 'eid-alerts', client: '', wires: [['words']] },
    { ...place('words', 260, 340), type: 'change', rules, wires: [['mail']] },
    {
      ...place('mail', 420, 340),
      type: 'e-mail',
      name: 'office@example.com',
      ...mail,
      wires: [],
      ...(withSecrets && { credentials: { userid: 'node-red@example.com' } }),
    },
    {
      ...place('page', 100, 420),
      type: 'eid-overview',
      path: '/contracts',
      wires: [],
      ...(withSecrets && { credentials: { users: 'kari correct horse' } }),
    },
  ]
}
