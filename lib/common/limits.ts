/** Limits and marks used in more than one folder of `lib`. */

/** Maximum bytes of a file chosen in a form; files that people sign or share by hand are smaller. */
export const maxChosenBytes = 25 * 1024 * 1024

/** The text that Node-RED shows in place of a stored password. The server replaces it with the password. */
export const passwordMask = '__PWRD__'

/** Node's longest timer in milliseconds; a longer one would fire at once. */
export const maxTimerMs = 2 ** 31 - 1
