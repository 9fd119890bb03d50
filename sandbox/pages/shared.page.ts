/** Functions that the scripts of several pages need in the browser. */

/** The element with this id; undefined if the page has none. */
export function byId<Element extends HTMLElement = HTMLElement>(id: string): Element | undefined {
  return (document.getElementById(id) as Element | null) ?? undefined
}

/** The data that the server wrote into the page for its script. */
export function pageData<Data>(id: string): Data {
  return JSON.parse(byId(id)?.textContent ?? 'null') as Data
}
