/** The only place with rules that check several values together; used by the form, and by the node for its request. */
import { splitList } from '../common/split-list'

/**
 * A conflict between settings. `key` is looked up in `problems` of the node's own catalog, or of the common catalog if
 * `isCommon` is true. `sum`, `expected` and `count` fill in the sentence.
 */
export interface Conflict {
  readonly key: string
  readonly isCommon?: boolean
  readonly sum?: number
  readonly expected?: number | undefined
  readonly count?: number
}

/**
 * Values, keyed by setting. Undefined means that there is no value; a value that is unknown before the message arrives
 * is left out.
 */
export type KnownValues = Readonly<Record<string, unknown>>

/** Checks values together. If they are in a row of a list, `around` contains the settings outside the list. */
type Together = (values: KnownValues, around: KnownValues) => Conflict | undefined

/** The amount in whole hundredths, so that sums can be compared exactly. */
export const toCents = (value: unknown): number => Math.round(Number(value) * 100)

const areKnown = (values: KnownValues, ...names: readonly string[]) =>
  names.every((name) => Object.hasOwn(values, name))
const isBlank = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

/** Reports a split if both parts are 0, or if the sum of the parts differs from the expected amount. */
function split({ amountTenant, amountLandlord, expectedTotal }: KnownValues): SplitConflict | undefined {
  if (amountTenant === undefined || amountLandlord === undefined) return undefined
  const cents = toCents(amountTenant) + toCents(amountLandlord)
  if (cents === 0) return { key: 'nothing', sum: 0 }
  if (expectedTotal === undefined || cents === toCents(expectedTotal)) return undefined
  return { key: 'total', sum: cents / 100, expected: Number(expectedTotal) }
}
interface SplitConflict extends Conflict {
  readonly key: 'nothing' | 'total'
  readonly sum: number
}

/** A deposit needs an amount, or a rent and a number of rents. */
const deposit: Together = (values) => {
  if (!areKnown(values, 'depositAmount', 'monthlyRent', 'depositFactor')) return undefined
  const { depositAmount, monthlyRent, depositFactor } = values
  const isSaid = !isBlank(depositAmount) || (!isBlank(monthlyRent) && !isBlank(depositFactor))
  return isSaid ? undefined : { key: 'noAmount' }
}

/**
 * Reports that more signatures are required than there are signers, because these signatures could never be collected.
 */
const signatures: Together = ({ requiredSignatures, signers }) => {
  const count = Array.isArray(signers) ? signers.length : 0
  const isTooMany = count > 0 && Number(requiredSignatures ?? 0) > count
  return isTooMany ? { key: 'tooManySignatures', count } : undefined
}

/**
 * Reports a recipient who has both an identification and `withoutIdentification`, or neither. A change may have
 * neither.
 */
const identity: Together = (values, around) => {
  const names = ['identityProvider', 'identityProviderUniqueId', 'ssn', 'dateOfBirth', 'withoutIdentification']
  if (!areKnown(values, ...names)) return undefined
  const isAnyhow = names.slice(0, 4).some((name) => !isBlank(values[name]))
  const isFree = values.withoutIdentification === true
  if (isAnyhow && isFree) return { key: 'eitherOr', isCommon: true }
  const isChange = { ...around, ...values }.operation === 'changeRecipient'
  return isAnyhow || isFree || isChange ? undefined : { key: 'missing', isCommon: true }
}

/** Reports that the number of ids differs from the number of providers. Each id belongs to exactly one provider. */
const uniqueIds: Together = ({ identityProvider, identityProviderUniqueId }) => {
  const [providers, ids] = [identityProvider, identityProviderUniqueId].map((one) => splitList(one)?.length ?? 0)
  return providers && ids && providers !== ids ? { key: 'uniqueIds', isCommon: true } : undefined
}

/**
 * Reports a recipient without a list of visible content. Such a recipient sees everything, which is intended only if
 * there is a single item, or if the settings say so.
 */
const access: Together = (values, around) => {
  const { uploads, seeEverything, operation, content } = { ...around, ...values }
  if (!Object.hasOwn(values, 'uploads') || splitList(uploads) !== undefined || seeEverything === true) return undefined
  // A change without `uploads` keeps the recipient's present list, so such a change is not reported. If `uploads`
  // contains only spaces, the list counts as empty.
  const isMeant = operation === 'addRecipient' || (operation === 'changeRecipient' && uploads !== undefined)
  const isOpen = isMeant || (Array.isArray(content) && content.length > 1)
  return isOpen ? { key: 'everything', isCommon: true } : undefined
}

export const together = { split, deposit, signatures, identity, uniqueIds, access } satisfies Record<string, Together>
export type TogetherName = keyof typeof together

/** The settings of *Afterwards* that each redirect mode requires (`docs/interface.md` 2.1). */
const pages = ['successUrl', 'cancelUrl', 'errorUrl'] as const
export const redirectNeeds: Readonly<Record<string, readonly string[]>> = {
  redirect: pages,
  iframe_with_redirect: pages,
  iframe_with_webmessaging: ['domain'],
  iframe_with_redirect_and_webmessaging: [...pages, 'domain'],
}

/** The redirect modes that require this setting. */
export const modesThatNeed = (name: string): string[] =>
  Object.keys(redirectNeeds).filter((mode) => redirectNeeds[mode]?.includes(name))
