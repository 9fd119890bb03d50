/**
 * Creates elements in the browser, for the sidebar and the overview page. Titles and names are inserted as text, never
 * as HTML, because they can contain anything.
 */

type Child = HTMLElement | string | undefined | false
export type Children = readonly (Child | readonly Child[])[]

const isThere = (child: Child): child is HTMLElement | string => Boolean(child)

/**
 * Creates an element with these attributes (`class`, `title`, …) and children. An attribute with the value `false` or
 * undefined is left out.
 */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | number | boolean | undefined>> = {},
  ...children: Children
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : String(value))
  }
  made.append(...children.flat().filter(isThere))
  return made
}
