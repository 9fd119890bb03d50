/** Checks a form once for all changes made together, because Node-RED reports every setting as it opens a form. */

/**
 * Returns a function that requests the work. However often it is called while a script runs, the work is done once,
 * when that script has ended and before anything is drawn; not at all if `of` is no longer in the page.
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
