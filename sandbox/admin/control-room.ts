/** The control room: everything in the sandbox on one page, kept up to date. */
import { embedData, escape, notice, page } from '../pages/html'
import { pageScript } from '../pages/page-script'
import type { Answer, Call } from '../server/call'
import type { World } from '../world'
import type { Panel, View } from './panel-type'
import { roomStyle } from './room-style'
import { languageOf, textsOf, type RoomTexts } from './texts'

/** `GET /`: the page with these panels, in the browser's language. */
export function controlRoom(panels: readonly Panel[], call: Call, world: World): Answer {
  const view = viewOf(call, world)
  const { texts } = view
  const links = panels.map((panel) => `<li><a href="#${panel.id}">${escape(panel.title(texts))}</a></li>`)
  const body = `${notice(view.language === 'nb' ? 'no' : 'en')}
<header><div class="above"><h1>${escape(texts.title)}</h1>
${startOver(texts)}</div>
<p>${texts.about(`<code>${escape(world.url)}</code>`)}</p>
<p class="find"><label for="find">${escape(texts.find)}</label> <input id="find" type="search" autocomplete="off" placeholder="${escape(texts.findWhat)}"></p>
<nav aria-label="${escape(texts.panels)}"><ul>${links.join('')}</ul></nav></header>
<main>${panels.map((panel) => showPanel(panel, view)).join('\n')}</main>
<p id="said" role="status"></p>
${embedData('texts', { done: texts.done, noAnswer: texts.noAnswer, copied: texts.copied })}`
  return page({
    title: texts.title,
    lang: texts.lang,
    body,
    style: roomStyle,
    script: pageScript(__dirname, 'control-room'),
  })
}

function startOver(texts: RoomTexts): string {
  return `<form data-json method="post" action="/sandbox/start-over" data-confirm="${escape(texts.startOverConfirm)}"><button class="plain small">${escape(texts.startOver)}</button></form>`
}

/**
 * `GET /sandbox/panels?open=&find=`: the bodies of all panels by id; the page updates itself with these bodies. `open`
 * is repeated for each open row; `find` is a text that rows must contain.
 */
export function panelBodies(panels: readonly Panel[], call: Call, world: World): Answer {
  const view = viewOf(call, world)
  return { json: Object.fromEntries(panels.map((panel) => [panel.id, panel.render(view)])) }
}

function viewOf({ headers, query }: Call, world: World): View {
  const language = languageOf(headers)
  return {
    world,
    language,
    texts: textsOf(language),
    open: new Set(query.getAll('open')),
    find: query.get('find')?.trim().toLowerCase() ?? '',
  }
}

/** `GET /sandbox/state`: the data of the panels. */
export function stateOf(panels: readonly Panel[], world: World): Answer {
  return { json: Object.fromEntries(panels.flatMap(({ id, state }) => (state ? [[id, state(world)]] : []))) }
}

function showPanel(panel: Panel, view: View): string {
  const title = escape(panel.title(view.texts))
  return `<section class="card" id="${panel.id}" aria-labelledby="${panel.id}-title"><h2 id="${panel.id}-title">${title}</h2>
<div class="body" role="group" aria-labelledby="${panel.id}-title">${panel.render(view)}</div></section>`
}
