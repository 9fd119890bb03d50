/** Numbers as text for people. */

/**
 * A finite number with all its digits and without an exponent, as a spreadsheet shows it. Numbers with decimals have at
 * most fifteen significant digits, so that 0.1 + 0.2 becomes 0.3.
 */
export function numberText(value: number): string {
  if (Number.isInteger(value)) return String(BigInt(value))
  return new Intl.NumberFormat('en-US', { useGrouping: false, maximumSignificantDigits: 15 }).format(value)
}
