/** Texts, figures and times in the language of the page and in the time zone of the browser. */
import { distanceFromNow } from '../../../lib/common/duration'
import type { PageData } from '../view'

export interface Words {
  text(key: string, params?: Readonly<Record<string, string>>): string
  figure(count: number): string
  /** Returns a time with the day, and with the year if it is not the current one. */
  moment(at: number, now: number): string
  time(at: number): string
  /** Returns the distance of a time from now, such as "3 days ago". */
  span(at: number, now: number): string
}

export function createWords({ language, texts }: PageData): Words {
  const dates = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options)
  const clock = { hour: '2-digit', minute: '2-digit' } as const
  const near = dates({ day: 'numeric', month: 'short', ...clock })
  const far = dates({ day: 'numeric', month: 'short', year: 'numeric', ...clock })
  const times = dates(clock)
  const figures = new Intl.NumberFormat(language)
  const text: Words['text'] = (key, params = {}) =>
    (texts[key] ?? key).replace(/__(\w+?)__/g, (whole, name: string) => params[name] ?? whole)
  return {
    text,
    figure: (count) => figures.format(count),
    moment: (at, now) => (new Date(at).getFullYear() === new Date(now).getFullYear() ? near : far).format(new Date(at)),
    time: (at) => times.format(new Date(at)),
    span: (at, now) => distanceFromNow(at - now, language) ?? text('justNow'),
  }
}
