/** Chooses the locale for dates and numbers in the browser. */

/**
 * Returns the first of the browser's languages that is `ours` (the language of our texts), with or without a region;
 * otherwise `ours`. Skips languages such as `en-US@posix`: some browsers list them, but reject them in their
 * formatters.
 */
export function browserLanguage(languages: readonly string[], ours: string): string {
  return languages.find((one) => one.split('-')[0] === ours && /^[a-z]+(-[a-z0-9]+)*$/i.test(one)) ?? ours
}
