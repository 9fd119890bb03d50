/** Numbers as text for people. */

/**
 * A finite number with all its digits, as a spreadsheet shows it: a calculated one has at most fifteen significant
 * digits, so that 0.1 + 0.2 is 0.3, and none is written with an exponent.
 */
export function numberText(value: number): string {
  if (Number.isInteger(value)) return String(BigInt(value))
  return new Intl.NumberFormat('en-US', { useGrouping: false, maximumSignificantDigits: 15 }).format(value)
}
