/** Decides whether a response is the requested file, from its first bytes, before any of it is passed on. */
import type { Readable } from 'node:stream'
import type { CallOptions } from './call'
import type { RawAnswer } from './failures'

/** Content types of a log-in page or a gateway's message; no document has them. */
const others = /^\s*(text\/html|application\/xhtml\+xml|[\w.+-]+\/([\w.+-]+\+)?json)\s*(;|$)/i

/** PDF readers accept a file with the PDF signature within these first bytes. */
const pdfHead = 1024

/**
 * False if status and headers already show that this is not the whole file: the file comes later, this is a part of it,
 * or it is a web page.
 */
export function mayBeFile({ status, headers }: Pick<RawAnswer, 'status' | 'headers'>): boolean {
  return status === 200 && !others.test([headers['content-type'] ?? ''].flat().join())
}

/** True or false as soon as these first bytes are enough to decide; undefined if more are needed. */
export function beginsAsFile(beginning: Buffer, query: CallOptions['query']): boolean | undefined {
  if (query?.fileFormat !== 'pades') return beginning.length > 0 || undefined
  if (beginning.subarray(0, pdfHead).includes('%PDF')) return true
  return beginning.length < pdfHead ? undefined : false
}

/**
 * Waits until the first bytes of a stream show whether it is the file, without consuming them. A stream that breaks off
 * reports that to its reader.
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
