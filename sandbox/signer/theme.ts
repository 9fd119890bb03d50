/**
 * The appearance that a signer's settings ask for (`docs/interface.md` 2.1): theme, mode, top bar, spinner, background.
 */
import { dark, light } from '../pages/style'
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
const accents = {
  Default: ['#2457c5', '#8db2ff'],
  Black: ['#000000', '#ffffff'],
  Blue: ['#1558b0', '#8ab8f8'],
  Cyan: ['#006876', '#5fd7e6'],
  Dark: ['#263238', '#b0bec5'],
  Lime: ['#566000', '#d4e157'],
  Neutral: ['#4a5058', '#c3c9d1'],
  Pink: ['#ad1457', '#f48fb1'],
  Purple: ['#7b1fa2', '#ce93d8'],
  Red: ['#b71c1c', '#ff9a91'],
  Teal: ['#00695c', '#66cfc1'],
  Indigo: ['#303f9f', '#a7b2f2'],
  LightBlue: ['#0b63a0', '#81d4fa'],
  DeepPurple: ['#512da8', '#bda5f0'],
  Green: ['#23702a', '#90d394'],
  LightGreen: ['#44691d', '#b3dd84'],
  Yellow: ['#6f5b00', '#fff176'],
  Amber: ['#7d5700', '#ffd54f'],
  Orange: ['#964400', '#ffb74d'],
  DeepOrange: ['#a8320c', '#ffab91'],
  Brown: ['#5d4037', '#cbb3a9'],
  Gray: ['#545454', '#cccccc'],
  BlueGray: ['#455a64', '#b0c4ce'],
  OceanGreen: ['#00665c', '#6fd9c4'],
  GreenOcean: ['#0a6b4c', '#74dcb4'],
} as const

type Theme = keyof typeof accents

/** The themes from which accounts choose. */
export const themes = Object.keys(accents) as Theme[]

export function lookOf(signer: Signer): Look {
  const styling = objectIn(objectIn(signer.requested.ui).styling)
  const [onLight, onDark] = accents[themeIn(styling)]
  const mode = /^(dark|light)$/i.test(textIn(styling.themeMode)) ? textIn(styling.themeMode).toLowerCase() : ''
  const bright = `--accent: ${onLight}; --on-accent: #ffffff;`
  const dim = `--accent: ${onDark}; --on-accent: #10141a;`
  const style = [
    `body { ${bright} } @media (prefers-color-scheme: dark) { body { ${dim} } }`,
    `body[data-mode=light] { color-scheme: light; ${light} ${bright} }`,
    `body[data-mode=dark] { color-scheme: dark; ${dark} ${dim} }`,
    background(textIn(styling.backgroundColor)),
  ].join('\n')
  return { style, mode, topBar: topBarOf(styling), spinner: textIn(styling.spinner).toLowerCase() || 'classic' }
}

/** The name of the requested theme, in any case; `Default` if there is no such theme. */
function themeIn({ colorTheme }: Readonly<Record<string, unknown>>): Theme {
  const asked = textIn(colorTheme).toLowerCase()
  return themes.find((one) => one.toLowerCase() === asked) ?? 'Default'
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
