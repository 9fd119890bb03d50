/** The check digit of a Norwegian payment reference (KID). */

/** True if the last digit of the payment reference is its check digit by mod 10 or mod 11 (`-` stands for 10). */
export function isKid(kid: string): boolean {
  if (!/^\d{1,24}[\d-]$/.test(kid)) return false
  const digits = [...kid.slice(0, -1)].map(Number).reverse()
  return kid.endsWith(mod10(digits)) || kid.endsWith(mod11(digits))
}

/**
 * The check digit by mod 10. `digits` are in order from the right. Every second digit is doubled; a two-digit result
 * counts as the sum of its digits.
 */
function mod10(digits: number[]): string {
  const sum = digits.reduce((total, digit, index) => {
    const weighted = index % 2 === 0 ? digit * 2 : digit
    return total + (weighted > 9 ? weighted - 9 : weighted)
  }, 0)
  return String((10 - (sum % 10)) % 10)
}

/** The check digit by mod 11. `digits` are in order from the right; their weights are 2 to 7, repeated. */
function mod11(digits: number[]): string {
  const sum = digits.reduce((total, digit, index) => total + digit * ((index % 6) + 2), 0)
  const check = (11 - (sum % 11)) % 11
  return check === 10 ? '-' : String(check)
}
