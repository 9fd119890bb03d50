/** Measures the memory for a document with a large PDF, compared with core nodes that build the same request. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { comparing, inChild, takeTurns, type Case, type Figures } from './child'
import { good, startHost } from './host'
import { measure, mebibyte } from './memory'
import type { Subject } from './report'
import { roundsOr } from './rounds'
import { startPlainServer } from './service'

const rounds = roundsOr(3)
const size = 50

export const cases: Readonly<Record<string, Case>> = {
  ours: ({ url = '', file = '' }) => inHost(url, 'path', () => ({}), file),
  core: ({ url = '', file = '' }) => inHost(url, 'core', () => ({ filename: file })),
  oursBuffer: ({ url = '', file = '' }) => inHost(url, 'ours', inMessage(file)),
  coreBuffer: ({ url = '', file = '' }) => inHost(url, 'function', inMessage(file)),
}

/** Creates messages that already contain the file, so that the file itself is not counted. */
function inMessage(file: string): () => object {
  const payload = readFileSync(file)
  return () => ({ payload })
}

export async function benchPdf(): Promise<Subject[]> {
  const service = await startPlainServer()
  const folder = mkdtempSync(join(tmpdir(), 'eid-bench-file-'))
  try {
    const file = join(folder, 'large.pdf')
    writeFileSync(file, Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(size * mebibyte - 9, 'eID\n')]))
    const run = (name: string) => () => inChild('pdf', name, { url: service.url, file })
    const figures = await takeTurns(rounds, {
      ours: run('ours'),
      core: run('core'),
      oursBuffer: run('oursBuffer'),
      coreBuffer: run('coreBuffer'),
    })
    return [
      table('from a path', 'core file in + function + http request', figures.ours, figures.core),
      table('from a Buffer', 'core function + http request', figures.oursBuffer, figures.coreBuffer),
    ]
  } finally {
    service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function table(how: string, alternative: string, ours: Figures, other: Figures): Subject {
  const row = comparing(ours, other)
  return {
    subject: `document with a PDF of ${size} MiB ${how}`,
    alternative,
    rows: [
      { ...row('peak memory growth', 'growth', 'MiB'), aim: { atMost: 4 * size, of: 'ours' } },
      row('growth in sizes of the file', 'sizes', ''),
      row('time', 'seconds', 's'),
    ],
  }
}

/** `file` is the path in the node's form, because the node does not take a text in a message as a path. */
async function inHost(url: string, node: string, msg: () => object, file = ''): Promise<Figures> {
  const host = await startHost(flows(url, file))
  const token = { Authorization: 'Bearer bench' }
  // A small document runs first, to open the connection, get the token and compile the code.
  const small = { payload: Buffer.from('%PDF-1.7'), headers: token }
  await good(host.run('ours', { ...small }))
  await good(host.run('function', { ...small }))
  const { seconds, growth } = await measure(async () => good(host.run(node, { ...msg(), headers: token })))
  await host.stop()
  return { growth, sizes: growth / size, seconds }
}

const rest = {
  title: 'Rental agreement',
  contactDetails: { email: 'kari.nordmann@example.com' },
  signers: [
    {
      externalSignerId: 'ola-1',
      redirectSettings: { redirectMode: 'donot_redirect' },
      signatureType: { mechanism: 'pkisignature' },
    },
  ],
}

function flows(url: string, file: string): object[] {
  const place = { z: 'f', x: 1, y: 1 }
  const func = `const base64Content = msg.payload.toString('base64')
msg.payload = { ...${JSON.stringify(rest)}, externalId: msg._msgid, dataToSign: { base64Content, fileName: 'large.pdf' } }
return msg`
  const document = {
    ...place,
    type: 'eid-create-document',
    client: 'c',
    title: rest.title,
    contactEmail: rest.contactDetails.email,
    signersType: 'json',
    signers: JSON.stringify(rest.signers),
    fileName: 'large.pdf',
    fileNameType: 'str',
    wires: [['out']],
  }
  const request = { method: 'POST', ret: 'obj', url: `${url}/signature/documents` }
  return [
    { id: 'f', type: 'tab' },
    { id: 'c', type: 'eid-client', baseUrl: url },
    { ...document, id: 'ours' },
    { ...document, id: 'path', file, fileType: 'path' },
    {
      ...place,
      id: 'core',
      type: 'file in',
      filename: 'filename',
      filenameType: 'msg',
      format: '',
      wires: [['function']],
    },
    { ...place, id: 'function', type: 'function', outputs: 1, func, wires: [['request']] },
    { ...place, id: 'request', type: 'http request', ...request, wires: [['out']] },
    { ...place, id: 'out', type: 'bench-out' },
    { ...place, id: 'catch', type: 'catch', scope: null, wires: [['out']] },
  ]
}
