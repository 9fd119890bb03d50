/**
 * Trims characters from the ends of a text in a single pass. A pattern such as /x+$/ would start again at every `x` in
 * the middle of a long text.
 */

export function trimWhile(text: string, isEdge: (character: string) => boolean): string {
  let start = 0
  while (start < text.length && isEdge(text.charAt(start))) start++
  return trimEndWhile(text.slice(start), isEdge)
}

function trimEndWhile(text: string, isEdge: (character: string) => boolean): string {
  let end = text.length
  while (end > 0 && isEdge(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** The address without trailing slashes. */
export const withoutSlashes = (address: string): string => trimEndWhile(address, (one) => one === '/')
