/** Reads the file to sign, wherever it comes from, without blocking. */
import { readFile } from 'node:fs/promises'
import { basename, win32 } from 'node:path'
import type { ProblemKey } from '../../lib/api/errors'
import type { FileValue } from '../../lib/fields'
import type { Call } from '../../lib/runtime/api-node'
import type { PlainObject } from '../../lib/runtime/body'
import { findFile } from '../../lib/runtime/files'
import { fields } from './create-document.fields'

type CreateCall = Call<typeof fields>

/** The file as the request wants it, or why it can't be had. Neither when the form brings none, so that the body's own stays. */
export interface ReadFile {
  readonly dataToSign?: PlainObject
  readonly problems: readonly ProblemKey[]
}

/** Reads the file of one message. Throws EID_CONFIG when there is a base folder that does not exist. */
export async function readDocumentFile(call: CreateCall): Promise<ReadFile> {
  const { values, config } = call
  const named = config.fileNameType !== undefined && config.fileNameType !== fields.fileName.type
  const file = values.file ?? payloadFile(call)
  if (!file) return { dataToSign: named ? { fileName: values.fileName } : undefined, problems: [] }
  const read = await readBytes(call, file)
  if ('key' in read) return { problems: [{ path: 'file', key: read.key }] }
  const onDisk = file.from === 'path' ? basename(file.path) : undefined
  const fileName = named ? values.fileName : (lastPart(values.fileName) ?? onDisk)
  return { dataToSign: { base64Content: read.bytes.toString('base64'), fileName }, problems: [] }
}

function payloadFile({ msg, config }: CreateCall): FileValue | undefined {
  const auto = (config.fileType ?? fields.file.type) === 'auto'
  return auto && Buffer.isBuffer(msg.payload) ? { from: 'buffer', buffer: msg.payload } : undefined
}

/** The name alone of a path that another node left in `msg.filename`. */
function lastPart(name: string | undefined): string | undefined {
  return name === undefined ? undefined : win32.basename(basename(name))
}

type Bytes = { readonly bytes: Buffer } | { readonly key: string }

async function readBytes(call: CreateCall, file: FileValue): Promise<Bytes> {
  if (file.from === 'buffer') return { bytes: file.buffer }
  if (file.from === 'stream') return readStream(file.stream, call)
  const { workingDirectory, values } = call
  const found = await findFile(file.path, { workingDirectory, baseFolder: values.baseFolder ?? '' })
  if ('key' in found) return found
  // Whatever the reason, the person has to look at the file.
  return readFile(found.absolute, { signal: call.signal }).then(
    (bytes) => ({ bytes }),
    () => ({ key: 'fileMissing' }),
  )
}

/** A copy of a stream never delivers anything: silence for as long as a call may take means that it is one. */
function readStream(stream: NodeJS.ReadableStream, { client, signal }: CreateCall): Promise<Bytes> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = []
    const settle = (read: Bytes) => {
      clearTimeout(silence)
      signal.removeEventListener('abort', stop)
      resolve(read)
    }
    const stop = () => settle({ key: 'fileMissing' })
    const silence = setTimeout(() => settle({ key: 'stream' }), (client.timeout ?? 30) * 1000)
    signal.addEventListener('abort', stop, { once: true })
    stream.on('data', (chunk: Uint8Array | string) => {
      chunks.push(Buffer.from(chunk as Uint8Array))
      silence.refresh()
    })
    stream.on('error', stop).on('end', () => settle({ bytes: Buffer.concat(chunks) }))
    stream.on('close', stop)
  })
}
