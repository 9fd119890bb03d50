/** What several values must be together, decided here alone: for the form, and for the request that the node sends. */

/** What is wrong: a key of the node's own `problems`, and what its sentence says. */
export interface Conflict {
  readonly key: 'nothing' | 'total'
  readonly sum: number
  readonly expected?: number
}

/** The values by the names of their settings; undefined is one that is not there, or not known yet. */
export type KnownValues = Readonly<Record<string, unknown>>

/** Whole hundredths, so that sums compare exactly. */
export const toCents = (value: unknown): number => Math.round(Number(value) * 100)

/** Both parts of a split are 0, or they add up to another amount than expected. */
function split({ amountTenant, amountLandlord, expectedTotal }: KnownValues): Conflict | undefined {
  if (amountTenant === undefined || amountLandlord === undefined) return undefined
  const cents = toCents(amountTenant) + toCents(amountLandlord)
  if (cents === 0) return { key: 'nothing', sum: 0 }
  if (expectedTotal === undefined || cents === toCents(expectedTotal)) return undefined
  return { key: 'total', sum: cents / 100, expected: Number(expectedTotal) }
}

export const together = { split }
export type TogetherName = keyof typeof together

/** The settings of *Afterwards* that each redirect mode cannot do without (`docs/interface.md` 2.1). */
const pages = ['successUrl', 'cancelUrl', 'errorUrl'] as const
export const redirectNeeds: Readonly<Record<string, readonly string[]>> = {
  redirect: pages,
  iframe_with_redirect: pages,
  iframe_with_webmessaging: ['domain'],
  iframe_with_redirect_and_webmessaging: [...pages, 'domain'],
}

/** The redirect modes that need this setting. */
export const modesThatNeed = (name: string): string[] =>
  Object.keys(redirectNeeds).filter((mode) => redirectNeeds[mode]?.includes(name))
