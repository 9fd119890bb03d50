/** Chooses the locale for dates and numbers in the browser. */

/**
 * The first of the browser's languages that belongs to `ours`, the language of our texts, and may add a region;
 * otherwise `ours`. Languages such as `en-US@posix` are skipped, because the browsers that list them reject them in
 * their own formatters.
 */
export function browserLanguage(languages: readonly string[], ours: string): string {
  return languages.find((one) => one.split('-')[0] === ours && /^[a-z]+(-[a-z0-9]+)*$/i.test(one)) ?? ours
}
