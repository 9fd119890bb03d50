/** Whether an answer is the file that was asked for, judged by its beginning before any of it is handed on. */
import type { Readable } from 'node:stream'
import type { CallOptions } from './call'
import type { RawAnswer } from './failures'

/** Types of a log-in page or of a gateway's message, which no document has. */
const others = /^\s*(text\/html|application\/xhtml\+xml|[\w.+-]+\/([\w.+-]+\+)?json)\s*(;|$)/i

/** PDF readers accept a file that has its mark in these first bytes. */
const pdfHead = 1024

/** False when status and type say already that it is not the whole file: accepted for later, a part, a page. */
export function mayBeFile({ status, headers }: Pick<RawAnswer, 'status' | 'headers'>): boolean {
  return status === 200 && !others.test([headers['content-type'] ?? ''].flat().join())
}

/** True or false as soon as these first bytes tell; undefined when more are needed. */
export function beginsAsFile(beginning: Buffer, query: CallOptions['query']): boolean | undefined {
  if (query?.fileFormat !== 'pades') return beginning.length > 0 || undefined
  if (beginning.subarray(0, pdfHead).includes('%PDF')) return true
  return beginning.length < pdfHead ? undefined : false
}

/**
 * Waits until the first bytes of a stream tell whether it is the file, and leaves them in it. A stream that breaks off
 * reports that to the reader.
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
