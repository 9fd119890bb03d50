/** Common checks for e-mail addresses, phone numbers and notification channels. */
import type { FieldError } from './answers'
import { objectIn, textIn } from './json'

/** Whether the text can be an e-mail address: something, an @, and a domain with a dot. */
export function isEmail(text: string): boolean {
  return text.length <= 320 && /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:".]+(\.[^\s@<>()[\]\\,;:".]+)+$/.test(text)
}

/** Reports an e-mail address that is given but invalid. `field` is the name of its field in the request. */
export function checkEmail(value: unknown, field: string): FieldError[] {
  if (value === undefined || value === null || value === '') return []
  return isEmail(textIn(value)) ? [] : [{ field, message: 'This is not an e-mail address.' }]
}

/**
 * Reports a phone number {countryCode, number} that is invalid; `names` are the names of its two parts in the request.
 */
export function checkMobile(value: unknown, names: readonly [string, string]): FieldError[] {
  const { countryCode, number } = objectIn(value)
  if (textIn(countryCode) === '' && textIn(number) === '') return []
  return [
    ...(isCountryCode(textIn(countryCode))
      ? []
      : [{ field: names[0], message: 'A country calling code is required.' }]),
    ...(isPhoneNumber(textIn(number)) ? [] : [{ field: names[1], message: 'This is not a phone number.' }]),
  ]
}

/** Whether the text is a country calling code, with or without a plus. */
export function isCountryCode(text: string): boolean {
  return /^\+?[1-9]\d{0,3}$/.test(text)
}

/** Whether the text is a phone number within a country: digits, which may be grouped. */
export function isPhoneNumber(text: string): boolean {
  return /^[\d -]+$/.test(text) && /^\d{4,15}$/.test(text.replace(/[ -]/g, ''))
}

/**
 * Reports the invalid channels in a `notifications.setup`; there are four valid channels. `field` returns the name of
 * the field for an occasion.
 */
export function checkChannels(setup: unknown, field: (occasion: string) => string): FieldError[] {
  return Object.entries(objectIn(setup))
    .filter(([, channel]) => !/^(off|send(sms|email|both))$/i.test(textIn(channel)))
    .map(([occasion]) => ({
      field: field(occasion),
      message: 'The channel must be off, sendSms, sendEmail or sendBoth.',
    }))
}
