/** The page's style: the frame fills the page, which is light or dark like the visitor's system. */

export const style = `
:root { color-scheme: light dark; --back: #fff; --text: #1c1c1c; --link: #0b57a4; }
@media (prefers-color-scheme: dark) { :root { --back: #16181c; --text: #f0f0f0; --link: #8ec5ff; } }
* { box-sizing: border-box; }
html, body { height: 100%; margin: 0; }
body { background: var(--back); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main { display: flex; flex-direction: column; height: 100%; }
h1 { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.card h1 { position: static; width: auto; height: auto; clip-path: none; white-space: normal; font-size: 1.25rem; }
p { margin: 0; padding: .75rem 1rem; }
p:empty { padding: 0; }
#plain { padding-top: 0; }
.card { max-width: 40rem; margin: 0 auto; padding: 3rem 1rem; }
.card p { padding: 0; }
a { color: var(--link); }
iframe { flex: 1; width: 100%; min-height: 20rem; border: 0; background: var(--back); }
iframe:focus-visible { outline: 3px solid var(--link); outline-offset: -3px; }
a:focus-visible { outline: 3px solid var(--link); outline-offset: 3px; }
`
