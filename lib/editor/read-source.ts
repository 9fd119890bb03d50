/** Asks the server what a file contains: the fields of a Word file, or the columns of a list. */
import { postJson } from './post-json'

/** A fault in a file, as a text key (`problems`). */
export interface SourceProblem {
  readonly key: string
  readonly params?: Readonly<Record<string, string | number>>
}

type Found<T> = Partial<T> & { readonly problem?: SourceProblem }

/**
 * Sends `body` to the route `what` below `eid/files`, and calls `done` with the answer. Does nothing if the server does
 * not answer.
 */
export function readSource<T>(what: string, body: object, done: (found: Found<T>) => void): void {
  postJson(`eid/files/${what}`, body).done(done)
}

/** The sentence for a problem; `label` is the setting's name in the form. */
export function problemText(
  { key, params = {} }: SourceProblem,
  label: string,
  common: (key: string) => string,
): string {
  const words = common(`problems.${key}`).replace('__path__', label)
  return Object.entries(params).reduce((text, [name, value]) => text.replace(`__${name}__`, String(value)), words)
}
