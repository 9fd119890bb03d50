/** Limits and marks that more than one room keeps. */

/** Bytes that a file chosen in a form may have: more than what is signed or shared by hand. */
export const maxChosenBytes = 25 * 1024 * 1024

/** What Node-RED shows in place of a stored password; the server puts in the password itself. */
export const passwordMask = '__PWRD__'

/** Node's longest timer, in milliseconds; a longer one would run out at once. */
export const maxTimerMs = 2 ** 31 - 1
