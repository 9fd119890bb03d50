/**
 * Checks a form once for all changes made together, because Node-RED reports a change for every setting while it opens
 * a form.
 */

/**
 * Returns a function that requests `work`. However often that function is called while a script runs, `work` is called
 * once: when the script has ended and before the page is drawn. `work` is not called if `of` is no longer in the page.
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
