/** The page's style: light or dark like the person's system, and suitable for a phone as well as a wide screen. */

export const style = `
:root { color-scheme: light dark; --back: #f5f6f8; --card: #fff; --line: #c9ced6; --text: #1c1c1c; --soft: #545c67; --link: #0b57a4; --late: #a3260f; --late-back: #fde9e4; }
@media (prefers-color-scheme: dark) { :root { --back: #16181c; --card: #20242a; --line: #454c56; --text: #f0f0f0; --soft: #b3bac4; --link: #8ec5ff; --late: #ffb4a3; --late-back: #4a1d14; } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
header, main { max-width: 60rem; margin: 0 auto; padding: 0 1rem; }
header { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 0 1rem; padding-top: 1rem; }
h1 { margin: 0; font-size: 1.5rem; }
h2 { margin: 0; font-size: 1rem; overflow-wrap: anywhere; }
p { margin: 0; }
#updated, .soft { color: var(--soft); font-size: .875rem; }
nav ul, .rows { list-style: none; margin: 0; padding: 0; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem; margin: .75rem 0; border-bottom: 1px solid var(--line); }
nav a { display: block; padding: .5rem .75rem; color: var(--link); text-decoration: none; border-bottom: 3px solid transparent; }
nav a[aria-current] { color: var(--text); font-weight: 600; border-bottom-color: var(--link); }
nav .count { font-weight: 400; color: var(--soft); }
.tools { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; margin: 0 0 1rem; }
.tools label { display: block; font-size: .875rem; color: var(--soft); }
.tools .wide { flex: 1 1 14rem; }
input, select, button { font: inherit; color: var(--text); background: var(--card); border: 1px solid var(--soft); border-radius: .375rem; padding: .375rem .625rem; min-height: 2.5rem; max-width: 100%; }
.wide input { width: 100%; }
button { cursor: pointer; }
button:disabled { color: var(--soft); cursor: default; }
button.danger { border-color: var(--late); color: var(--late); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.rows > li { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; margin: 0 0 .5rem; }
.row { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; justify-content: space-between; }
.row > div:first-child { flex: 1 1 20rem; min-width: 0; }
.people { margin: .25rem 0 0; padding: 0; list-style: none; overflow-wrap: anywhere; }
.chip { display: inline-block; padding: 0 .5rem; border-radius: 1rem; background: var(--late-back); color: var(--late); font-size: .875rem; font-weight: 400; }
.buttons { display: flex; flex-wrap: wrap; gap: .5rem; align-items: start; }
.confirm { margin-top: .75rem; padding-top: .75rem; border-top: 1px solid var(--line); }
.confirm .buttons { margin-top: .5rem; align-items: end; }
.confirm label { flex: 1 1 14rem; font-size: .875rem; color: var(--soft); }
.confirm input { display: block; width: 100%; }
progress { width: 100%; max-width: 24rem; height: .75rem; accent-color: var(--link); }
.problem { color: var(--late); }
.pages { display: flex; gap: .75rem; align-items: center; justify-content: center; margin: 1rem 0 2rem; }
`
