/** The building blocks of the control room's rows. */
import type { RoomTexts } from '../admin/texts'
import { escape } from './html'

/** A time in UTC; the page's script converts it to the viewer's time zone. */
export function timeOf(iso: string): string {
  return `<time datetime="${escape(iso)}">${escape(iso.slice(11, 19))}</time>`
}

/** A link that opens in a new tab. */
export function newTab(href: string, label: string): string {
  return `<a href="${escape(href)}" target="_blank" rel="noopener">${escape(label)}</a>`
}

interface ActionButton {
  /** The control room call to which the button posts. */
  readonly action: string
  readonly label: string
  readonly values?: Readonly<Record<string, string | number | boolean>>
  /** A question that the user must confirm before the call is sent. */
  readonly question?: string
  /** The accessible name of the button, for users who do not see which row the button is in. */
  readonly name?: string
  readonly method?: 'POST' | 'DELETE'
  /** Input fields that are shown before the button, as finished HTML. */
  readonly fields?: string
}

/** A button that sends these values to a call of the control room. */
export function actionButton({
  action,
  label,
  values = {},
  question,
  name,
  method,
  fields = '',
}: ActionButton): string {
  const inputs = Object.entries(values).map(([key, value]) => {
    const type = typeof value === 'string' ? '' : `data-${typeof value} `
    return `<input type="hidden" ${type}name="${escape(key)}" value="${escape(value)}">`
  })
  const attributes = [
    `data-key="${escape([action, label, ...Object.values(values)].join(' '))}"`,
    ...(question === undefined ? [] : [`data-confirm="${escape(question)}"`]),
    ...(method === undefined ? [] : [`data-method="${method}"`]),
  ]
  const aria = name === undefined ? '' : ` aria-label="${escape(name)}"`
  return `<form data-json class="action" method="post" action="${escape(action)}" ${attributes.join(' ')}>${inputs.join('')}${fields}<button class="plain small"${aria}>${escape(label)}</button></form>`
}

/** A button that copies a text. */
export function copyButton(text: string, texts: RoomTexts): string {
  return `<button type="button" class="plain small" data-copy="${escape(text)}">${escape(texts.copy)}</button>`
}
