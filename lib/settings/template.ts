/** The syntax of texts with fields in braces, such as "Lease for {Last name}". The form and the runtime use it. */

/** A part of a text: literal words, or the name of a field or an environment variable. */
export type TemplatePart = { readonly text: string } | { readonly field: string } | { readonly variable: string }

/** The parts of a text; or, if a field is not closed, the start of this field. */
type Template = { readonly parts: readonly TemplatePart[] } | { readonly unclosed: string }

/** `{{` is a literal brace, `${NAME}` an environment variable, and `{name}` a field. Empty braces are plain text. */
const pattern = /\{\{|\$\{([^{}\n]*)\}|\{([^{}\n]*)\}|\{/g

/**
 * Splits a text into its parts. A field must begin and end on the same line. The fields named in `left` remain text.
 */
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

/**
 * The text itself if it has no fields or variables; undefined if its content depends on the message or the environment.
 */
export function plainText({ parts }: { readonly parts: readonly TemplatePart[] }): string | undefined {
  return parts.every((part) => 'text' in part) ? parts.map((part) => part.text).join('') : undefined
}

/** The names of the fields in these parts, in their order. */
export function fieldNames({ parts }: { readonly parts: readonly TemplatePart[] }): string[] {
  return parts.flatMap((part) => ('field' in part ? [part.field] : []))
}
