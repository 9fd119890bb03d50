/** Texts with fields in braces, such as "Lease for {Last name}": how they are written, for the form and at run time. */

/** What a text consists of: literal words, and the names of fields and of environment variables. */
export type TemplatePart = { readonly text: string } | { readonly field: string } | { readonly variable: string }

/** The parts of a text, or the beginning of the field that is not closed. */
export type Template = { readonly parts: readonly TemplatePart[] } | { readonly unclosed: string }

/** `{{` is a brace, `${NAME}` an environment variable, `{name}` a field; empty braces are no field. */
const pattern = /\{\{|\$\{([^{}\n]*)\}|\{([^{}\n]*)\}|\{/g

/** Takes a text apart. A field begins and ends on the same line; one of `left` stays a part of the text. */
export function parseTemplate(text: string, left: ReadonlySet<string> = new Set()): Template {
  const parts: TemplatePart[] = []
  let from = 0
  for (const { 0: found, 1: variable, 2: name, index } of text.matchAll(pattern)) {
    if (found === '{') return { unclosed: text.slice(index, index + 30) }
    const field = name?.trim()
    if (found !== '{{' && !variable && (!field || left.has(field))) continue
    parts.push({ text: text.slice(from, index) }, variable ? { variable } : field ? { field } : { text: '{' })
    from = index + found.length
  }
  parts.push({ text: text.slice(from) })
  return { parts: parts.filter((part) => !('text' in part) || part.text !== '') }
}

/** The text itself when no field is in it; undefined when the message or the environment decides. */
export function plainText({ parts }: { readonly parts: readonly TemplatePart[] }): string | undefined {
  return parts.every((part) => 'text' in part) ? parts.map((part) => part.text).join('') : undefined
}
