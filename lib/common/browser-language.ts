/** Chooses the locale for dates and numbers in the browser. */

/**
 * The browser's language that adds a region to `ours`, the language of our texts. Some browsers list languages that
 * their own formatters reject, such as `en-US@posix`.
 */
export function browserLanguage(languages: readonly string[], ours: string): string {
  return languages.find((one) => one.split('-')[0] === ours && /^[a-z]+(-[a-z0-9]+)*$/i.test(one)) ?? ours
}
