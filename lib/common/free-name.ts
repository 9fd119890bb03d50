/** Names that are not taken yet: a name that is taken gets a number, such as `B12 (2)`. */

/** Returns a function that returns a name, numbered if the name is taken, and counts the result as taken from then on. */
export function createFreeNames(taken: Iterable<string>): (name: string) => string {
  const names = new Set(taken)
  return (name) => {
    let free = name
    for (let count = 2; names.has(free); count++) free = `${name} (${count})`
    names.add(free)
    return free
  }
}
