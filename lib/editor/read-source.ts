/** Asks the server for the contents of a file: the fields of a Word file, the columns of a list. */

/** A fault in a file, as a text key (`problems`). */
export interface SourceProblem {
  readonly key: string
  readonly params?: Readonly<Record<string, string | number>>
}

type Found<T> = Partial<T> & { readonly problem?: SourceProblem }

/** `what` is the route below `eid/files`. Does nothing if the server does not answer. */
export function readSource<T>(what: string, body: object, done: (found: Found<T>) => void): void {
  $.ajax({
    // Relative, because the editor may be served below a path.
    url: `eid/files/${what}`,
    method: 'POST',
    contentType: 'application/json',
    data: JSON.stringify(body),
  }).done(done)
}

/** The sentence for a problem; `label` is the setting's name as people see it. */
export function problemText(
  { key, params = {} }: SourceProblem,
  label: string,
  common: (key: string) => string,
): string {
  const words = common(`problems.${key}`).replace('__path__', label)
  return Object.entries(params).reduce((text, [name, value]) => text.replace(`__${name}__`, String(value)), words)
}
