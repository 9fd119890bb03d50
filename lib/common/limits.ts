/** What a form in the browser and the server have to have alike. */

/** Bytes that a file chosen in a form may have: more than what is signed or shared by hand. */
export const maxChosenBytes = 25 * 1024 * 1024

/** What Node-RED shows in place of a stored password; the server puts in the password itself. */
export const passwordMask = '__PWRD__'
