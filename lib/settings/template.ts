/** Texts with fields in braces, such as "Lease for {Last name}": their syntax, for the form and at run time. */

/** A part of a text: literal words, or the name of a field or an environment variable. */
export type TemplatePart = { readonly text: string } | { readonly field: string } | { readonly variable: string }

/** The parts of a text, or the start of a field that is not closed. */
export type Template = { readonly parts: readonly TemplatePart[] } | { readonly unclosed: string }

/** `{{` is a literal brace, `${NAME}` an environment variable, `{name}` a field; empty braces are plain text. */
const pattern = /\{\{|\$\{([^{}\n]*)\}|\{([^{}\n]*)\}|\{/g

/** Splits a text into its parts. A field begins and ends on the same line; fields in `left` remain text. */
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

/** The text itself if it has no fields; undefined if the message or the environment decides. */
export function plainText({ parts }: { readonly parts: readonly TemplatePart[] }): string | undefined {
  return parts.every((part) => 'text' in part) ? parts.map((part) => part.text).join('') : undefined
}
