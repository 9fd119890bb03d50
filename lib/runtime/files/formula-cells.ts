/** Cells of a text file that a spreadsheet would execute as a formula. */

/** Puts an apostrophe before a text that begins like a formula, such as `+47 99999999`. */
export const guardFormula = (text: string): string => (/^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text)

/** Removes the apostrophe that `guardFormula` added, so that a corrected report can be read as a list again. */
export const unguardFormula = (text: string): string => (/^'[=+\-@\t\r\n]/.test(text) ? text.slice(1) : text)
