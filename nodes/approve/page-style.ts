/** The page's style: light or dark like the person's system, and readable on a phone. */

export const style = `
:root { color-scheme: light dark; --back: #f5f6f8; --card: #fff; --line: #c9ced6; --text: #1c1c1c; --soft: #545c67; --link: #0b57a4; --on-link: #fff; --late: #a3260f; }
@media (prefers-color-scheme: dark) { :root { --back: #16181c; --card: #20242a; --line: #454c56; --text: #f0f0f0; --soft: #b3bac4; --link: #8ec5ff; --on-link: #10243a; --late: #ffb4a3; } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--back); color: var(--text); font: 1.0625rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
main { max-width: 36rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { margin: 0 0 .5rem; font-size: 1rem; font-weight: 600; color: var(--soft); }
p { margin: .75rem 0; }
.what { margin-top: 0; font-size: 1.5rem; line-height: 1.3; font-weight: 600; }
dl { margin: 1rem 0; padding: 0 1rem; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
dl > div { padding: .75rem 0; border-top: 1px solid var(--line); }
dl > div:first-child { border-top: 0; }
dt { color: var(--soft); font-size: .875rem; }
dd { margin: 0; white-space: pre-wrap; }
.digest { font-family: ui-monospace, monospace; font-size: .8125rem; }
button, textarea { font: inherit; color: var(--text); background: var(--card); border: 1px solid var(--soft); border-radius: .375rem; padding: .625rem 1rem; min-height: 2.75rem; max-width: 100%; }
button { cursor: pointer; margin: 0 .5rem .5rem 0; }
button:disabled { cursor: default; opacity: .6; }
button.main { background: var(--link); color: var(--on-link); border-color: var(--link); font-weight: 600; }
label { display: block; margin: 1rem 0 .25rem; }
textarea { display: block; width: 100%; min-height: 5rem; margin-bottom: .75rem; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
#state:focus-visible { outline: 0; }
.problem { color: var(--late); }
`
