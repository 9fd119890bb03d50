/** Chooses the language in which a browser writes dates and numbers. */

/**
 * The one of the browser's languages that says in which region people read `ours`, the language of our texts. Some
 * browsers name languages that none of their own formats takes, such as `en-US@posix`.
 */
export function browserLanguage(languages: readonly string[], ours: string): string {
  return languages.find((one) => one.split('-')[0] === ours && /^[a-z]+(-[a-z0-9]+)*$/i.test(one)) ?? ours
}
