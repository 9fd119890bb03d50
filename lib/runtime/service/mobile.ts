/** Telephone numbers in the service's form: a separate calling code, and only digits. */

/** Calling codes with one or two digits; all other calling codes have three. */
const shortCodes = new Set(
  '1 7 20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98'.split(
    ' ',
  ),
)

const looksLikeNumber = (text: string) => /^\+?[\d\s().-]+$/.test(text)

/**
 * Splits a number such as `+47 999 99 999` into its calling code and the rest. A value that is not a telephone number
 * stays unchanged, so that a later check can report it.
 */
export function mobileOf(countryCode: unknown, number: unknown): { countryCode: unknown; number: unknown } {
  if (typeof number !== 'string' || !looksLikeNumber(number)) return { countryCode, number }
  const digits = number.replace(/\D/g, '')
  const isWhole = number.startsWith('+') || number.startsWith('00')
  if (!isWhole) return { countryCode, number: digits }
  const whole = number.startsWith('+') ? digits : digits.slice(2)
  const short = [1, 2].map((length) => whole.slice(0, length)).find((one) => shortCodes.has(one))
  const code = short ?? whole.slice(0, 3)
  return { countryCode: code, number: whole.slice(code.length) }
}
