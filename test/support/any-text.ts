/** Text with any code points, for tests that try arbitrary text. */
import fc from 'fast-check'

const surrogates = { first: 0xd800, count: 0x800 }
const textOf = (index: number) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count)
const indexOf = (text: unknown) => {
  const point = (typeof text === 'string' ? text.codePointAt(0) : undefined) ?? NaN
  const index = point < surrogates.first ? point : point - surrogates.count
  if (Number.isNaN(index) || textOf(index) !== text) throw new Error('not one code point')
  return index
}

/**
 * A code point that is not half of a surrogate pair. fast-check has the same unit as `binary`, but builds a list of all
 * 1.1 million code points for every string. The mapping can be reversed, so fast-check also tries words like
 * `__proto__`.
 */
const codePoint = fc.integer({ min: 0, max: 0x10ffff - surrogates.count }).map(textOf, indexOf)

/** Any text at all. */
export const anyText = (bounds: Pick<fc.StringConstraints, 'minLength'> = {}) =>
  fc.string({ ...bounds, unit: codePoint })
