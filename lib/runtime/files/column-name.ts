/** Turns the heading of a column into its name. */

/**
 * The name of a column as people read it and can write it between braces. A heading may be broken into lines, contain
 * non-breaking spaces, or store its accents as separate characters.
 */
export function columnName(heading: unknown): string {
  const gap = (found: string) => (/[^ ]/.test(found) ? ' ' : found)
  return String(heading).normalize('NFC').replace(/\s+/g, gap).trim()
}
