/** The text that a search compares, without what people type differently. */

/**
 * In small letters and without white space. Amounts have a space between their thousands that no keyboard types, and
 * that some people leave out.
 */
export const searchText = (text: string): string => text.toLowerCase().replace(/\s+/g, '')
