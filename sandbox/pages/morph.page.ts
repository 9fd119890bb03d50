/**
 * Updates a part of a page in place: unchanged elements are kept, with their focus, scroll position, typed text and
 * open state.
 */

/** Replaces the children of `now` with those of `next`. */
export function morphChildren(now: Element, next: ParentNode): void {
  const wanted = Array.from(next.childNodes)
  wanted.forEach((one, index) => {
    const here = now.childNodes[index] ?? null
    const known = matchOf(one, now, index)
    if (!known) return void now.insertBefore(one, here)
    // A node is moved only if it is elsewhere, because a frame reloads when it is moved.
    if (known !== here) now.insertBefore(known, here)
    morph(known, one)
  })
  while (now.childNodes.length > wanted.length) now.lastChild?.remove()
}

/**
 * Finds the existing node that is changed into the wanted node. If the wanted node has a key, this is the node with the
 * same key. Otherwise, it is the node at the same position, if that node has the same name and no key.
 */
function matchOf(wanted: Node, parent: Element, index: number): ChildNode | undefined {
  const key = keyOf(wanted)
  const rest = Array.from(parent.childNodes).slice(index)
  if (key !== undefined) return rest.find((one) => keyOf(one) === key)
  const here = rest[0]
  return here && keyOf(here) === undefined && here.nodeName === wanted.nodeName ? here : undefined
}

function keyOf(node: Node): string | undefined {
  return node instanceof HTMLElement ? node.dataset.key : undefined
}

function morph(now: ChildNode, next: Node): void {
  if (!(now instanceof Element) || !(next instanceof Element)) {
    if (now.nodeValue !== next.nodeValue) now.nodeValue = next.nodeValue
    return
  }
  for (const { name } of Array.from(now.attributes)) {
    if (name !== 'open' && !next.hasAttribute(name)) now.removeAttribute(name)
  }
  for (const { name, value } of Array.from(next.attributes)) {
    if (now.getAttribute(name) !== value) now.setAttribute(name, value)
  }
  // The text of a time stays, because the page's script has converted it to the viewer's time zone.
  if (now.nodeName !== 'TIME') morphChildren(now, next)
}
