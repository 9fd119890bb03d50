/** Which titles people can read, and which are ids that only programs use. */

/** Whether a person can recognize something by this title. */
export const isReadable = (title: string): boolean =>
  title !== '' && !/^(?:eid-\w+-)?[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(title)
