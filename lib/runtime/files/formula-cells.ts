/** Cells of a text file that a spreadsheet would execute as a formula. */

/**
 * Puts an apostrophe before a text that begins like a formula, such as `+47 99999999`, and before such a part of it, in
 * case a spreadsheet cuts the text into cells there.
 */
export const guardFormula = (text: string): string =>
  text.replace(/^(?=[=+\-@\t\r\n])|(?<=[;,|\t\r\n]"*)(?=[=+\-@])/g, "'")

/** Removes the apostrophes that `guardFormula` added, so that a corrected report can be read as a list again. */
export const unguardFormula = (text: string): string =>
  text.replace(/^'(?=[=+\-@\t\r\n])|(?<=[;,|\t\r\n]"*)'(?=[=+\-@])/g, '')
