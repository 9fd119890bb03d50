/** The control room: everything in the sandbox on one page, kept up to date. */
import { embedData, escape, notice, page } from '../pages/html'
import { pageScript } from '../pages/page-script'
import type { Answer, Call } from '../server/call'
import type { World } from '../world'
import type { Panel } from './panel-type'
import { languageOf, textsOf, type Language, type RoomTexts } from './texts'

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
.state.waits { background: var(--warn); color: var(--on-warn); } .state.done { background: var(--done); color: var(--on-done); }
.state.ended { background: var(--ended); color: var(--text); } .state.trouble { background: var(--trouble); color: var(--on-trouble); }
:root { --done: #d9f2e3; --on-done: #0d4a27; --ended: #e3e7ee; --trouble: #fbdedb; --on-trouble: #7d160d; }
@media (prefers-color-scheme: dark) { :root { --done: #123d27; --on-done: #b6f0cc; --ended: #323d4c; --trouble: #4a1d19; --on-trouble: #ffc9c3; } }
ul.things, ul.people { list-style: none; padding: 0; margin: 0; } ul.things > li { padding: .75rem 0; border-bottom: 1px solid var(--line); }
.head { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; overflow-wrap: anywhere; } ul.people { margin: .35rem 0; } ul.people li { padding: .15rem 0; }
form.action { display: inline-block; } details { margin: .25rem 0; } details > * { margin-bottom: .5rem; } details iframe { width: 100%; height: 24rem; border: 1px solid var(--line); border-radius: 8px; background: #fff; }
.presets { align-items: center; margin-bottom: 1rem; }
.check { display: flex; gap: .4rem; align-items: center; min-height: 2.5rem; } .check label { margin: 0; }
input[type=number] { width: 6rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .5rem 0 0; font-size: .8rem; }
summary { cursor: pointer; }
#said { position: fixed; right: 1rem; bottom: 1rem; margin: 0; padding: .6rem 1rem; border-radius: 8px; background: var(--text); color: var(--card); }
#said:empty { display: none; }
.above { display: flex; justify-content: space-between; gap: 1rem; align-items: start; flex-wrap: wrap; }
`

/** `GET /`: the page with these panels, in the browser's language. */
export function controlRoom(panels: readonly Panel[], call: Call, world: World): Answer {
  const language = languageOf(call.headers)
  const texts = textsOf(language)
  const links = panels.map((panel) => `<li><a href="#${panel.id}">${escape(panel.title(texts))}</a></li>`)
  const body = `${notice(texts.notice)}
<header><div class="above"><h1>${escape(texts.title)}</h1>
${startOver(texts)}</div>
<p>${texts.about(`<code>${escape(world.url)}</code>`)}</p>
<nav aria-label="${escape(texts.panels)}"><ul>${links.join('')}</ul></nav></header>
<main>${panels.map((panel) => showPanel(panel, world, language)).join('\n')}</main>
<p id="said" role="status"></p>
${embedData('texts', { done: texts.done, noAnswer: texts.noAnswer, copied: texts.copied })}`
  return page({ title: texts.title, lang: texts.lang, body, style, script: pageScript(__dirname, 'control-room') })
}

function startOver(texts: RoomTexts): string {
  return `<form data-json method="post" action="/sandbox/start-over" data-confirm="${escape(texts.startOverConfirm)}"><button class="plain small">${escape(texts.startOver)}</button></form>`
}

/** `GET /sandbox/panels`: the bodies of all panels by their ids, for the page to bring itself up to date. */
export function panelBodies(panels: readonly Panel[], call: Call, world: World): Answer {
  const language = languageOf(call.headers)
  return { json: Object.fromEntries(panels.map((panel) => [panel.id, panel.render(world, language)])) }
}

/** `GET /sandbox/state`: what the panels know, as data. */
export function stateOf(panels: readonly Panel[], world: World): Answer {
  return { json: Object.fromEntries(panels.flatMap(({ id, state }) => (state ? [[id, state(world)]] : []))) }
}

function showPanel(panel: Panel, world: World, language: Language): string {
  const title = escape(panel.title(textsOf(language)))
  return `<section class="card" id="${panel.id}" aria-labelledby="${panel.id}-title"><h2 id="${panel.id}-title">${title}</h2>
<div class="body" role="group" aria-labelledby="${panel.id}-title">${panel.render(world, language)}</div></section>`
}
