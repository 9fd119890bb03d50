/** Creates elements of the page. Their content is always text, never HTML. */

type Child = Node | string | false | undefined

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  made.append(...children.filter((one) => one !== undefined && one !== false))
  return made
}

/** `name` is the accessible name, if the text alone does not say what the button is about. */
export function button(text: string, act: () => void, { name, key, className }: ButtonLook = {}): HTMLButtonElement {
  const made = element('button', { type: 'button' }, text)
  if (name !== undefined) made.setAttribute('aria-label', name)
  if (key !== undefined) made.dataset.key = key
  if (className !== undefined) made.className = className
  made.addEventListener('click', act)
  return made
}

interface ButtonLook {
  readonly name?: string
  /** A key by which the button is found again after its row was redrawn. */
  readonly key?: string
  readonly className?: string
}
