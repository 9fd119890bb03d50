/** A website of the test's own, on a free port: the pages that people come from, and those that they return to. */
import { serve } from '../../support/servers/http-server'

export interface Site {
  /** The site's origin, with an IP address as the host. */
  readonly url: string
  /** The origin of the same site with a host name. For a browser, this is another origin than `url`. */
  readonly alias: string
  /** Serves this HTML at a path; returns the address of the page. */
  put(path: string, html: string): string
  close(): Promise<void>
}

export async function startSite(): Promise<Site> {
  const pages = new Map<string, string>()
  const { url, port, close } = await serve((request, response) => {
    const html = pages.get((request.url ?? '').split('?')[0] ?? '')
    response.writeHead(html === undefined ? 404 : 200, { 'Content-Type': 'text/html; charset=utf-8' }).end(html)
  })
  return {
    url,
    alias: `http://localhost:${port}`,
    put: (path, html) => {
      pages.set(path, `<!doctype html><html lang="en"><title>Caller</title><body>${html}</body></html>`)
      return url + path
    },
    close,
  }
}

/** HTML with a frame, and with a script that collects messages to the page in `window.heard`. */
export function framing(address: string): string {
  const listen = 'heard = []; addEventListener("message", ({ origin, data }) => heard.push({ origin, data }))'
  return `<script>${listen}</script><iframe src="${address}" title="app" width="900" height="700"></iframe>`
}
