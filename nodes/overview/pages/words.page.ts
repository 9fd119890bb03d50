/** Texts, figures and times in the language of the page and in the time zone of the browser. */
import type { PageData } from '../view'

export interface Words {
  text(key: string, params?: Readonly<Record<string, string>>): string
  figure(count: number): string
  /** Returns a time with the day, and with the year if it is not the current one. */
  moment(at: number, now: number): string
  time(at: number): string
  /** Returns a span such as "3 days ago". */
  span(at: number, now: number): string
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

export function createWords({ language, texts }: PageData): Words {
  const dates = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options)
  const clock = { hour: '2-digit', minute: '2-digit' } as const
  const near = dates({ day: 'numeric', month: 'short', ...clock })
  const far = dates({ day: 'numeric', month: 'short', year: 'numeric', ...clock })
  const times = dates(clock)
  const figures = new Intl.NumberFormat(language)
  const spans = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  return {
    text: (key, params = {}) =>
      (texts[key] ?? key).replace(/__(\w+?)__/g, (whole, name: string) => params[name] ?? whole),
    figure: (count) => figures.format(count),
    moment: (at, now) => (new Date(at).getFullYear() === new Date(now).getFullYear() ? near : far).format(new Date(at)),
    time: (at) => times.format(new Date(at)),
    span(at, now) {
      const difference = at - now
      const [unit, size] = units.find(([, one]) => Math.abs(difference) >= one) ?? units[2]
      // The browser's Norwegian says "døgn", which offices do not use.
      return spans.format(Math.trunc(difference / size), unit).replace(/\bdøgn\b/, 'dager')
    },
  }
}
