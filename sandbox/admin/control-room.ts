/** The control room: everything in the sandbox on one page, kept up to date. */
import { embedData, escape, notice, page } from '../pages/html'
import { pageScript } from '../pages/page-script'
import type { Answer } from '../server/call'
import type { World } from '../world'
import type { Panel } from './panel-type'

const style = `
header { padding: 1.5rem clamp(1rem, 4vw, 3rem) .75rem; }
header p { max-width: 60rem; color: var(--quiet); }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; margin: 0; list-style: none; }
main { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); gap: 1rem; padding: .75rem clamp(1rem, 4vw, 3rem) 3rem; align-items: start; }
#documents, #events, #requests, #faults { grid-column: 1 / -1; }
.body { overflow-x: auto; }
td { overflow-wrap: break-word; } td code, td .quiet { overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  table, tbody, tr, td { display: block; }
  thead { display: block; position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { padding: .5rem 0; border-bottom: 1px solid var(--line); } td { padding: .15rem 0; border: 0; overflow-wrap: anywhere; }
}
.body form + table, form + [data-live] { margin-top: .75rem; }
.time { font-size: 1.5rem; font-variant-numeric: tabular-nums; margin-bottom: .5rem; }
ul.plain { list-style: none; padding: 0; margin: 0; max-height: 28rem; overflow: auto; }
ul.plain li { padding: .6rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.state { display: inline-block; padding: .05rem .55rem; border-radius: 999px; background: var(--soft); font-size: .875rem; white-space: nowrap; }
.check { display: flex; gap: .4rem; align-items: center; min-height: 2.5rem; } .check label { margin: 0; }
input[type=number] { width: 6rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .5rem 0 0; font-size: .8rem; }
summary { cursor: pointer; }
#said { position: fixed; right: 1rem; bottom: 1rem; margin: 0; padding: .6rem 1rem; border-radius: 8px; background: var(--text); color: var(--card); }
#said:empty { display: none; }
.above { display: flex; justify-content: space-between; gap: 1rem; align-items: start; flex-wrap: wrap; }
`

/** `GET /`: the page with these panels. */
export function controlRoom(panels: readonly Panel[], world: World): Answer {
  const links = panels.map(({ id, title }) => `<li><a href="#${id}">${escape(title)}</a></li>`)
  const body = `${notice('en')}
<header><div class="above"><h1>Control room of the sandbox</h1>
<form data-json method="post" action="/sandbox/reset" data-confirm="Forget everything that was created, sent and received?"><button class="plain small">Start over</button></form></div>
<p>This is a simulated service at <code>${escape(world.url)}</code>. API client <code>sandbox</code>, secret <code>sandbox</code>. People, documents, messages and money in it are made up.</p>
<nav aria-label="Panels"><ul>${links.join('')}</ul></nav></header>
<main>${panels.map((panel) => showPanel(panel, world)).join('\n')}</main>
<p id="said" role="status"></p>
${embedData('texts', { done: 'Done.', noAnswer: 'The sandbox does not answer.' })}`
  return page({ title: 'Sandbox: control room', body, style, script: pageScript(__dirname, 'control-room') })
}

/** `GET /sandbox/panels`: the bodies of all panels by their ids, for the page to bring itself up to date. */
export function panelBodies(panels: readonly Panel[], world: World): Answer {
  return { json: Object.fromEntries(panels.map((panel) => [panel.id, panel.render(world)])) }
}

/** `GET /sandbox/state`: what the panels know, as data. */
export function stateOf(panels: readonly Panel[], world: World): Answer {
  return { json: Object.fromEntries(panels.flatMap(({ id, state }) => (state ? [[id, state(world)]] : []))) }
}

function showPanel(panel: Panel, world: World): string {
  return `<section class="card" id="${panel.id}" aria-labelledby="${panel.id}-title"><h2 id="${panel.id}-title">${escape(panel.title)}</h2>
<div class="body" role="group" aria-labelledby="${panel.id}-title">${panel.render(world)}</div></section>`
}
