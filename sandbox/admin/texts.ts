/** The control room's texts, in the browser's language. */
import type { IncomingHttpHeaders } from 'node:http'
import { english, type RoomTexts } from './texts-en'
import { norwegian } from './texts-nb'

export type { RoomTexts }
export type Language = 'en' | 'nb'

export function textsOf(language: Language): RoomTexts {
  return language === 'nb' ? norwegian : english
}

/** Norwegian for browsers that prefer it to English, English for all others. */
export function languageOf(headers: IncomingHttpHeaders): Language {
  const wanted = (headers['accept-language'] ?? '').toLowerCase().split(',')
  const first = wanted.map((one) => one.trim().slice(0, 2)).find((code) => ['en', 'nb', 'nn', 'no'].includes(code))
  return first && first !== 'en' ? 'nb' : 'en'
}
