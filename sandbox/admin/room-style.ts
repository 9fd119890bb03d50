/** The control room's style, in addition to the common rules. */
export const roomStyle = `
header { padding: 1.5rem clamp(1rem, 4vw, 3rem) .75rem; }
header p { max-width: 60rem; color: var(--quiet); }
.find { display: flex; gap: .5rem; align-items: center; } .find label { margin: 0; color: var(--text); } .find input { flex: 0 1 20rem; min-width: 0; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; margin: 0; list-style: none; }
main { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); gap: 1rem; padding: .75rem clamp(1rem, 4vw, 3rem) 3rem; align-items: start; }
#documents, #events, #requests, #faults { grid-column: 1 / -1; }
.body { overflow-wrap: anywhere; } .body form + form { margin-top: 0; }
.time { font-size: 1.35rem; font-variant-numeric: tabular-nums; margin-bottom: .5rem; }
time { font-variant-numeric: tabular-nums; }
ul.plain { list-style: none; padding: 0; margin: 0 0 .6rem; max-height: 20rem; overflow: auto; }
ul.plain > li { padding: .25rem 0; }
ul.things, ul.people { list-style: none; padding: 0; margin: 0; }
#events .things, #outbox .things, #requests .things { max-height: 36rem; overflow: auto; }
ul.things > li { padding: .6rem 0; border-bottom: 1px solid var(--line); } ul.things > li:last-child { border: 0; }
ul.people li { padding: .15rem 0; }
ul.people, ul.things > li > .row { margin: .25rem 0 0 1.1rem; }
ul.people:empty { display: none; }
summary { cursor: pointer; padding: .1rem 0; } summary .quiet + .quiet::before { content: '· '; }
#events summary strong, #requests summary strong, #outbox summary strong { font-weight: 400; }
.inside { margin: .35rem 0 .5rem .25rem; padding: .6rem .85rem; border-left: 3px solid var(--line); }
.inside:empty, details:not([open]) ~ .inside { display: none; } .inside > * { margin: 0 0 .6rem; } .inside > :last-child { margin: 0; } .inside h3 { margin-bottom: .25rem; }
.facts { display: grid; grid-template-columns: minmax(6rem, max-content) 1fr; gap: .15rem 1rem; } .facts dt { color: var(--quiet); } .facts dd { margin: 0; min-width: 0; }
.state { display: inline-block; padding: .05rem .55rem; border-radius: 999px; background: var(--soft); font-size: .875rem; white-space: nowrap; }
.state.waits { background: var(--warn); color: var(--on-warn); } .state.done { background: var(--done); color: var(--on-done); }
.state.ended { background: var(--ended); color: var(--text); } .state.trouble { background: var(--trouble); color: var(--on-trouble); }
:root { --done: #d9f2e3; --on-done: #0d4a27; --ended: #e3e7ee; --trouble: #fbdedb; --on-trouble: #7d160d; }
@media (prefers-color-scheme: dark) { :root { --done: #123d27; --on-done: #b6f0cc; --ended: #323d4c; --trouble: #4a1d19; --on-trouble: #ffc9c3; } }
form.action { display: inline-flex; flex-wrap: wrap; gap: .35rem; align-items: center; }
.row { align-items: center; gap: .35rem .5rem; } form.row { align-items: end; gap: .75rem; } form.row > div { max-width: 100%; }
.inside iframe { display: block; width: 100%; height: 24rem; border: 1px solid var(--line); border-radius: 8px; background: #fff; margin-top: .35rem; }
.presets { margin-bottom: 1rem; }
.check { display: flex; gap: .4rem; align-items: center; min-height: 2.5rem; } .check label { margin: 0; }
input[type=number] { width: 7rem; } form.action input { padding: .1rem .4rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .5rem 0 0; font-size: .8rem; }
#said { position: fixed; right: 1rem; bottom: 1rem; margin: 0; padding: .6rem 1rem; border-radius: 8px; background: var(--text); color: var(--card); }
#said:empty { display: none; }
.above { display: flex; justify-content: space-between; gap: 1rem; align-items: start; flex-wrap: wrap; }
@media (max-width: 40rem) { .facts { grid-template-columns: 1fr; } .facts dd { margin-bottom: .35rem; } ul.people, ul.things > li > .row { margin-left: 0; } .card { padding: 1rem; } }
`
