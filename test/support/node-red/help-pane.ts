/** Shows a help text as the help pane of the editor does, with the editor's own code for Markdown. */
import { createContext, runInContext } from 'node:vm'
import { read } from '../house'

const client = 'node_modules/@node-red/editor-client/public'

/** What stands between two marks of a file, without the second mark. */
function between(file: string, from: string, to: string): string {
  const start = file.indexOf(from)
  const end = file.indexOf(to, start)
  if (start < 0 || end < 0) throw new Error(`Node-RED has no longer the code from "${from}" to "${to}"`)
  return file.slice(start, end)
}

/** Returns a function that turns Markdown into the HTML of the help pane. */
export function helpPane(): (markdown: string) => string {
  const marked = between(read(client, 'vendor/vendor.js'), '/**\n * marked v', ';/*! @license DOMPurify')
  const utils = between(read(client, 'red/red.js'), 'RED.utils = (function() {', '\n})();')
  // The page's own window is its global object. Cleaning needs a page and takes nothing from harmless HTML.
  const context = createContext({ RED: {}, DOMPurify: { sanitize: (html: string) => html } })
  runInContext(`var window = globalThis\n${marked}\n${utils}\n})()`, context)
  return (markdown) => runInContext(`RED.utils.renderMarkdown(${JSON.stringify(markdown)})`, context) as string
}
