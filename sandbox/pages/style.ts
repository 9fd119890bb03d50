/** The style shared by all pages of the sandbox, light and dark. */

/** The colors of a page apart from its accent, for a light and for a dark background. */
export const light = `
  --ground: #f3f5f8; --card: #ffffff; --text: #17212e; --quiet: #526075; --line: #d3dae4; --field: #7b8798;
  --soft: #e8eefb; --good: #17663a; --bad: #a3261c; --warn: #fff3d6; --on-warn: #553d00;`
export const dark = `
  --ground: #11161d; --card: #1a212b; --text: #e8edf4; --quiet: #a6b2c3; --line: #323d4c; --field: #74839a;
  --soft: #22304a; --good: #7fd6a1; --bad: #ff9d94; --warn: #3c3114; --on-warn: #ffe2a0;`

export const baseStyle = `
:root { color-scheme: light dark; ${light} --accent: #2457c5; --on-accent: #ffffff; }
@media (prefers-color-scheme: dark) { :root { ${dark} --accent: #8db2ff; --on-accent: #0c1930; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
h1, h2, h3 { line-height: 1.25; margin: 0 0 .5em; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; } h3 { font-size: 1rem; }
p { margin: 0 0 .75em; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.notice { margin: 0; padding: .5rem 1rem; background: var(--warn); color: var(--on-warn); font-size: .9rem; text-align: center; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem; } .card > :last-child { margin-bottom: 0; }
.quiet { color: var(--quiet); } .good { color: var(--good); } .bad { color: var(--bad); }
button, .button {
  display: inline-block; font: inherit; font-weight: 600; padding: .5rem 1rem; min-height: 2.5rem; border-radius: 8px; cursor: pointer;
  border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); text-decoration: none;
}
button:hover, .button:hover { filter: brightness(1.08); }
button.plain, .button.plain { background: transparent; color: var(--accent); }
button.small, .button.small { padding: .15rem .6rem; min-height: 1.75rem; font-size: .875rem; }
button:disabled { opacity: .55; cursor: default; }
label { display: block; font-weight: 600; margin-bottom: .25rem; }
input, select {
  font: inherit; color: inherit; background: var(--card); border: 1px solid var(--field); border-radius: 8px; padding: .45rem .6rem; max-width: 100%;
}
::placeholder { color: var(--quiet); opacity: 1; }
input[type=checkbox], input[type=radio] { width: 1.15rem; height: 1.15rem; accent-color: var(--accent); }
code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .875em; }
dialog { background: var(--card); color: var(--text); border: 1px solid var(--line); border-radius: 12px; padding: 1.5rem; max-width: min(34rem, 92vw); }
dialog::backdrop { background: rgb(0 0 0 / .55); }
.row { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (prefers-reduced-motion: reduce) { * { animation-duration: 3s !important; transition: none !important; } }
`
