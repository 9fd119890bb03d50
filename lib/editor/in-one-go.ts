/** Looks at a form once for everything that changes in one go: Node-RED reports every setting as it opens a form. */

/**
 * Gives what asks for the work. However often it is asked while a script runs, the work is done once, when that script
 * has ended and before anything is drawn; not at all when `of` is no longer in the page.
 */
export function inOneGo(of: JQuery, work: () => void): () => void {
  let isAsked = false
  return () => {
    if (isAsked) return
    isAsked = true
    queueMicrotask(() => {
      isAsked = false
      if (of[0]?.isConnected) work()
    })
  }
}
