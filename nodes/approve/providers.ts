/** Which eIDs say who an approver is: used by the form and by the node. */

const countries: Readonly<Record<string, string>> = { no: 'no', se: 'se', swe: 'se', fi: 'fi', da: 'dk', dk: 'dk' }

/** The country of an eID, by the beginning of its name; empty if it is of no country and so gives no national id. */
export function countryOf(provider: string): string {
  return countries[/^([a-z]+)_/.exec(provider.toLowerCase())?.[1] ?? ''] ?? ''
}

/** The eIDs that give what a row is matched by; `offered` is the setting "eIDs offered". */
export function providersOf(by: string, provider: string, offered: readonly unknown[]): string[] {
  if (by === 'providerId') return provider === '' ? [] : [provider]
  const all = offered.length > 0 ? offered.map(String) : [provider]
  return all.filter((one) => countryOf(one) !== '' && countryOf(one) === countryOf(provider))
}
