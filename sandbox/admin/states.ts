/** The states of objects in the control room: what each state means to a person, and its name. */
import { escape } from '../pages/html'
import type { Language } from './texts'

/**
 * What a state means to a user: the object `waits` for a person, is `done`, has `ended` in another way, or is in
 * `trouble`.
 */
type Meaning = 'waits' | 'done' | 'ended' | 'trouble'

const states: Readonly<Record<string, readonly [Meaning, string, string]>> = {
  unsigned: ['waits', 'not signed', 'ikke signert'],
  waiting_for_attachments: ['waits', 'waiting for attachments', 'venter på vedlegg'],
  partialsigned: ['waits', 'partly signed', 'delvis signert'],
  signed: ['done', 'signed', 'signert'],
  opened: ['waits', 'has opened it', 'har åpnet det'],
  read: ['waits', 'has read it', 'har lest det'],
  left: ['waits', 'left without signing', 'gikk ut uten å signere'],
  canceled: ['ended', 'canceled', 'trukket tilbake'],
  expired: ['trouble', 'expired', 'utløpt'],
  created: ['waits', 'created', 'opprettet'],
  user_initiated: ['waits', 'started', 'påbegynt'],
  success: ['done', 'identified', 'identifisert'],
  failed: ['trouble', 'failed', 'feilet'],
  user_aborted: ['ended', 'canceled by the user', 'avbrutt av personen'],
  invalidated: ['ended', 'made invalid', 'gjort ugyldig'],
  timed_out: ['trouble', 'timed out', 'tiden gikk ut'],
  'waiting for files': ['waits', 'waiting for files', 'venter på filer'],
  sent: ['waits', 'sent', 'sendt'],
  'downloaded by all': ['done', 'downloaded by all', 'lastet ned av alle'],
  deleted: ['ended', 'deleted', 'slettet'],
  CREATED: ['waits', 'created', 'opprettet'],
  SIGNED: ['waits', 'signed', 'signert'],
  PAID_PARTIAL: ['waits', 'partly paid in', 'delvis innbetalt'],
  PAID: ['done', 'paid in', 'innbetalt'],
  TERMINATED: ['ended', 'released', 'utbetalt'],
  CANCELED: ['ended', 'canceled', 'avbrutt'],
  waiting: ['waits', 'waiting', 'venter'],
  locked: ['waits', 'taken', 'hentet'],
  handled: ['done', 'handled', 'behandlet'],
  unread: ['waits', 'has not downloaded', 'har ikke lastet ned'],
  partly: ['waits', 'has downloaded a part', 'har lastet ned noe'],
  downloaded: ['done', 'has downloaded', 'har lastet ned'],
  'access ended': ['ended', 'access ended', 'tilgangen er utløpt'],
  active: ['waits', 'listening', 'lytter'],
  delivered: ['done', 'delivered', 'levert'],
  refused: ['trouble', 'not delivered', 'ikke levert'],
  'turned off': ['ended', 'turned off', 'slått av'],
  succeeded: ['done', 'done', 'utført'],
  error: ['trouble', 'error', 'feil'],
  'no answer': ['trouble', 'no answer', 'uten svar'],
}

/** A state as a colored label. The color shows the meaning of the state, and the text names the state. */
export function statePill(state: string, language: Language): string {
  const [meaning, english, norwegian] = states[state] ?? ['waits', state, state]
  return `<span class="state ${meaning}" title="${escape(state)}">${escape(language === 'nb' ? norwegian : english)}</span>`
}
