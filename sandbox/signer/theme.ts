/**
 * The appearance that a signer's settings ask for (`docs/interface.md` 2.1): theme, mode, top bar, spinner, background.
 */
import { objectIn, textIn } from '../server/json'
import type { Signer } from '../signature/state'

export interface Look {
  /** CSS that sets the colors. */
  readonly style: string
  /** `light` or `dark`; if empty, the browser decides. */
  readonly mode: string
  readonly topBar: 'visible' | 'onlymenu' | 'hidden'
  readonly spinner: string
}

/**
 * Accent colors per theme: for a light background with white text on it, for a dark background with black text on it.
 */
const accents: Readonly<Record<string, readonly [string, string]>> = {
  default: ['#2457c5', '#8db2ff'],
  black: ['#000000', '#ffffff'],
  blue: ['#1558b0', '#8ab8f8'],
  cyan: ['#006876', '#5fd7e6'],
  dark: ['#263238', '#b0bec5'],
  lime: ['#566000', '#d4e157'],
  neutral: ['#4a5058', '#c3c9d1'],
  pink: ['#ad1457', '#f48fb1'],
  purple: ['#7b1fa2', '#ce93d8'],
  red: ['#b71c1c', '#ff9a91'],
  teal: ['#00695c', '#66cfc1'],
  indigo: ['#303f9f', '#a7b2f2'],
  lightblue: ['#0b63a0', '#81d4fa'],
  deeppurple: ['#512da8', '#bda5f0'],
  green: ['#23702a', '#90d394'],
  lightgreen: ['#44691d', '#b3dd84'],
  yellow: ['#6f5b00', '#fff176'],
  amber: ['#7d5700', '#ffd54f'],
  orange: ['#964400', '#ffb74d'],
  deeporange: ['#a8320c', '#ffab91'],
  brown: ['#5d4037', '#cbb3a9'],
  gray: ['#545454', '#cccccc'],
  bluegray: ['#455a64', '#b0c4ce'],
  oceangreen: ['#00665c', '#6fd9c4'],
  greenocean: ['#0a6b4c', '#74dcb4'],
}

const light = `--card: #ffffff; --text: #17212e; --quiet: #526075; --line: #d3dae4; --field: #7b8798; --good: #17663a; --bad: #a3261c;
  --warn: #fff3d6; --on-warn: #553d00; color-scheme: light;`
const dark = `--card: #1a212b; --text: #e8edf4; --quiet: #a6b2c3; --line: #323d4c; --field: #74839a; --good: #7fd6a1; --bad: #ff9d94;
  --warn: #3c3114; --on-warn: #ffe2a0; color-scheme: dark;`

export function lookOf(signer: Signer): Look {
  const styling = objectIn(objectIn(signer.requested.ui).styling)
  const name = textIn(styling.colorTheme).toLowerCase()
  const [onLight, onDark] = (Object.hasOwn(accents, name) ? accents[name] : undefined) ?? ['#2457c5', '#8db2ff']
  const mode = /^(dark|light)$/i.test(textIn(styling.themeMode)) ? textIn(styling.themeMode).toLowerCase() : ''
  const bright = `--accent: ${onLight}; --on-accent: #ffffff;`
  const dim = `--accent: ${onDark}; --on-accent: #10141a;`
  const style = [
    `body { ${bright} } @media (prefers-color-scheme: dark) { body { ${dim} } }`,
    `body[data-mode=light] { ${light} --ground: #f3f5f8; ${bright} }`,
    `body[data-mode=dark] { ${dark} --ground: #11161d; ${dim} }`,
    background(textIn(styling.backgroundColor)),
  ].join('\n')
  return { style, mode, topBar: topBarOf(styling), spinner: textIn(styling.spinner).toLowerCase() || 'classic' }
}

/** The rule for the background; empty for an invalid color, so that nothing else gets into the page. */
function background(colour: string): string {
  return /^(#[0-9a-f]{3,8}|[a-z]{3,30})$/i.test(colour) ? `body, body[data-mode] { --ground: ${colour}; }` : ''
}

/** The top bar by its current setting, or by the yes-or-no value that older clients send. */
function topBarOf(styling: Readonly<Record<string, unknown>>): Look['topBar'] {
  if (styling.hideTopBar === true) return 'hidden'
  const wished = textIn(styling.topBar).toLowerCase()
  return wished === 'hidden' || wished === 'onlymenu' ? wished : 'visible'
}
