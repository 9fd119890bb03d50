/**
 * Decides whether a response is the requested file, before the response is passed on. The decision is based on the
 * headers and the first bytes.
 */
import type { Readable } from 'node:stream'
import type { CallOptions } from './call'
import type { RawAnswer } from './failures'

/** Content types of a log-in page or of a gateway's message; the service sends no document with such a type. */
const others = /^\s*(text\/html|application\/xhtml\+xml|[\w.+-]+\/([\w.+-]+\+)?json)\s*(;|$)/i

/** PDF readers accept a file if the PDF signature is within this many bytes. */
export const pdfHead = 1024

/** Whether PDF readers accept a file that begins with these bytes. */
export const beginsAsPdf = (beginning: Buffer) => beginning.subarray(0, pdfHead).includes('%PDF')

/**
 * False if the status and headers already show that the response is not the whole file: the file is not ready yet, the
 * response is only a part of the file, or the response is a web page.
 */
export function mayBeFile({ status, headers }: Pick<RawAnswer, 'status' | 'headers'>): boolean {
  return status === 200 && !others.test([headers['content-type'] ?? ''].flat().join())
}

/**
 * True or false as soon as `beginning` is long enough to decide whether the response is the requested file; undefined
 * if more bytes are needed.
 */
export function beginsAsFile(beginning: Buffer, query: CallOptions['query']): boolean | undefined {
  if (query?.fileFormat !== 'pades') return beginning.length > 0 || undefined
  if (beginsAsPdf(beginning)) return true
  return beginning.length < pdfHead ? undefined : false
}

/**
 * Waits until the first bytes of a stream show whether the stream is the requested file. These bytes are not consumed.
 * If the stream breaks off, resolves to true, because the stream itself reports the error to its reader.
 */
export function streamsFile(stream: Readable, query: CallOptions['query']): Promise<boolean> {
  return new Promise((resolve) => {
    let beginning = Buffer.alloc(0)
    const end = (verdict: boolean) => {
      stream.off('readable', look).off('end', ended).off('close', closed)
      if (!verdict) stream.destroy()
      resolve(verdict)
    }
    const look = () => {
      const chunk = stream.read() as Buffer | null
      if (chunk) beginning = Buffer.concat([beginning, chunk])
      const verdict = beginsAsFile(beginning, query)
      if (verdict === undefined) return
      if (verdict) stream.unshift(beginning)
      end(verdict)
    }
    const ended = () => end(false)
    const closed = () => end(true)
    if (stream.destroyed) return resolve(true)
    stream.on('readable', look).on('end', ended).on('close', closed)
  })
}
