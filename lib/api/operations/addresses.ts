/** Checks addresses that people enter. */
import { configError } from '../errors/errors'

/** Throws EID_CONFIG unless `text` is an http(s) address; `secure` requires https, except for loopback hosts. */
export function checkUrl(text: string, field: string, secure: boolean): URL {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw configError('badUrl', { field })
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw configError('badUrl', { field })
  if (secure && url.protocol !== 'https:' && !isLoopback(url.hostname)) throw configError('https', { field })
  return url
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
}
