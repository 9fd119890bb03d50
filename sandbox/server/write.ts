/** Writes responses: JSON, pages, texts, bytes and files. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { Answer } from './call'

/** The bytes of an answer that is not a file, and their content type. */
export function encode(answer: Answer): { readonly body: Buffer | string; readonly type: string } {
  if (answer.json !== undefined) return { body: JSON.stringify(answer.json), type: 'application/json; charset=utf-8' }
  if (answer.html !== undefined) return { body: answer.html, type: 'text/html; charset=utf-8' }
  if (answer.text !== undefined) return { body: answer.text, type: answer.type ?? 'text/plain; charset=utf-8' }
  if (answer.buffer !== undefined) return { body: answer.buffer, type: answer.type ?? 'application/octet-stream' }
  return { body: '', type: '' }
}

export async function write(response: ServerResponse, answer: Answer): Promise<void> {
  if (answer.file !== undefined) return writeFile(response, answer, answer.file)
  const { body, type } = encode(answer)
  const size = { 'Content-Length': Buffer.byteLength(body) }
  response.writeHead(answer.status ?? 200, { ...(type && { 'Content-Type': type }), ...size, ...answer.headers })
  response.end(body)
}

async function writeFile(response: ServerResponse, answer: Answer, path: string): Promise<void> {
  const { size } = await stat(path)
  const type = answer.type ?? 'application/octet-stream'
  response.writeHead(answer.status ?? 200, { 'Content-Type': type, 'Content-Length': size, ...answer.headers })
  await pipeline(createReadStream(path), response)
}
