/** Builds the sandbox's pages: escaped text, one layout for all of them, and a strict content security policy. */
import { randomBytes } from 'node:crypto'
import type { Answer } from '../server/call'
import type { PageLanguage } from './languages'
import { baseStyle } from './style'

export interface Page {
  readonly title: string
  /** Language of the page, `en` unless given. */
  readonly lang?: string
  /** Finished HTML: external values must have gone through `escape`. */
  readonly body: string
  /** Style rules in addition to the common rules. */
  readonly style?: string
  /** A script for this page. */
  readonly script?: string
  /** Attributes of the `body` element, as finished HTML. */
  readonly attributes?: string
  /** Sources of `frame-ancestors`; without sources, the page may not be framed. */
  readonly frameAncestors?: string
  /** Further directives of the page's content security policy. */
  readonly policy?: string
  readonly status?: number
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Any value as text that is safe in HTML, also within quoted attributes. Absent values are empty. */
export function escape(value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean)
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

/** Data for a page's script, safe inside `<script type="application/json">`. */
export function embedData(id: string, data: unknown): string {
  return `<script type="application/json" id="${escape(id)}">${JSON.stringify(data).replace(/</g, '\\u003c')}</script>`
}

/** A whole page as a response. Scripts and styles run only with the page's own nonce. */
export function page({ title, lang = 'en', body, style = '', script, attributes = '', ...more }: Page): Answer {
  const nonce = randomBytes(16).toString('base64')
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    "connect-src 'self'; img-src 'self' data:; frame-src 'self'; base-uri 'none'",
    `frame-ancestors ${more.frameAncestors ?? "'none'"}`,
    ...(more.policy ? [more.policy] : []),
  ].join('; ')
  const html = `<!doctype html>
<html lang="${escape(lang)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escape(title)}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<style nonce="${nonce}">${baseStyle}${style}</style>
</head>
<body ${attributes}>
${body}
${script ? `<script nonce="${nonce}">${script}</script>` : ''}
</body>
</html>`
  const headers = {
    'Content-Security-Policy': policy,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Content-Type-Options': 'nosniff',
  }
  return { status: more.status ?? 200, html, headers }
}

/** The line at the top of every page of the sandbox. */
const notReal = {
  en: 'Sandbox: nothing here is real, signed or sent.',
  no: 'Sandkasse: Ingenting her er ekte, og ingenting blir signert eller sendt.',
} satisfies Record<PageLanguage, string>

/** The line at the top of a page, as HTML: it says that nothing is real. */
export function notice(language: PageLanguage): string {
  return `<aside class="notice" aria-label="Sandbox">${notReal[language]}</aside>`
}
