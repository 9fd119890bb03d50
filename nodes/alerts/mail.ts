/** The texts of an alert: its sentence, and a complete e-mail with subject and text. */
import type { Translate } from '../../lib/runtime/node-red/texts'
import type { Alert, AlertPayload } from './alert'
import type { AlertKind } from '../../lib/messages'

export interface Words {
  readonly translate: Translate
  /** The language of dates. */
  readonly language: string
}

/** Maximum length of a subject in characters; a longer one is cut. */
const maxSubject = 120

/** `label` is what the palette calls the node; it stands for the name of a node that has none. */
export function payloadOf(alert: Alert, link: string, words: Words, label: string): AlertPayload {
  const { kind, title, who = [], since, until, node, client, sentence, params, details } = alert
  const said = words.translate(`sentences.${sentence}`, {
    title: title || words.translate('untitled'),
    since: dateText(since, words),
    ...(until !== undefined && { until: dateText(until, words) }),
    ...params,
  })
  const payload: AlertPayload = {
    ...details,
    kind,
    title,
    who,
    since: new Date(since).toISOString(),
    ...(until !== undefined && { until: new Date(until).toISOString() }),
    sentence: said,
    link,
    ...(node && { node }),
    ...(client !== undefined && { client }),
  }
  // Chat services show the `text` property of the posted body.
  return { ...payload, text: textOf(payload, words, label) }
}

export function subjectLine({ kind, title }: AlertPayload, { translate }: Words): string {
  const label = translate(`kinds.${kind}`)
  return cut(title === '' ? label : `${label}: ${title}`)
}

export function digestSubject(count: number, { translate }: Words): string {
  return translate('digest.subject', { count })
}

export function digestText(alerts: readonly AlertPayload[], words: Words): string {
  const parts = alerts.map((one, index) => `${index + 1}. ${subjectLine(one, words)}\n\n${one.text as string}`)
  return [words.translate('digest.opening', { count: alerts.length }), ...parts].join('\n\n')
}

/** If the digest contains both the start and the end of an outage, keeps only the alert about its end. */
export function withoutEnded(alerts: readonly AlertPayload[]): AlertPayload[] {
  const over = new Set(alerts.filter(({ until }) => until !== undefined).map(outageOf))
  return alerts.filter((one) => one.until !== undefined || !over.has(outageOf(one)))
}

const outageOf = ({ kind, client, since }: AlertPayload) => JSON.stringify([kind, client, since])

/** The kinds whose sentence does not say when it happened. */
const undated: ReadonlySet<unknown> = new Set<AlertKind>(['failed', 'list-finished-with-failures'])

function textOf(payload: AlertPayload, words: Words, label: string): string {
  const { sentence, who, link, kind, node, rows, since } = payload
  const { translate } = words
  const named = (name: string) =>
    typeof payload[name] === 'string' ? [`${translate(`lines.${name}`)}: ${payload[name]}`] : []
  const location = node as Alert['node']
  const lines = [
    ...(undated.has(kind) ? [`${translate('lines.when')}: ${dateText(Date.parse(since), words)}`] : []),
    ...(who.length > 0 ? [`${translate('lines.who')}: ${who.join(', ')}`] : []),
    ...(Array.isArray(rows) && rows.length > 0 ? [`${translate('lines.rows')}: ${rows.join('; ')}`] : []),
    ...['reason', 'documentId', 'shareId', 'depositId', 'externalId', 'call', 'requestId'].flatMap(named),
    ...(location
      ? [
          `${translate('lines.node')}: ${[location.name || label, location.flow].filter(Boolean).join(', ') || location.id}`,
        ]
      : []),
    ...(link === '' ? [] : [`${translate('lines.link')}: ${link}`]),
  ]
  return [sentence, translate(`todo.${kind}`), lines.join('\n')].filter((part) => part !== '').join('\n\n')
}

function dateText(milliseconds: number, { language }: Words): string {
  return new Date(milliseconds).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' })
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > maxSubject ? `${line.slice(0, maxSubject - 1)}…` : line
}
