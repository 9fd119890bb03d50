/** The style rules of the signer app, in addition to the common rules. */
export const signerStyle = `
body { min-height: 100vh; }
main { max-width: 52rem; margin: 0 auto; padding: 1.25rem 1rem 3rem; display: grid; gap: 1rem; }
.top { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: center; gap: 1rem; padding: .5rem 1rem; background: var(--card); border-bottom: 3px solid var(--accent); }
.top.onlymenu { border: 0; background: transparent; }
.language { display: flex; min-width: 0; gap: .5rem; align-items: center; justify-self: end; padding: .25rem .6rem; border-radius: 8px; background: var(--card); }
.language label { margin: 0; font-weight: 400; }
.viewer { width: 100%; height: min(60vh, 40rem); border: 1px solid var(--line); border-radius: 8px; background: #fff; margin: 0 0 .5rem; }
pre.viewer { color: #17212e; padding: 1rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; font: 1rem/1.6 ui-serif, Georgia, serif; height: auto; max-height: min(60vh, 40rem); }
ul.signatures { list-style: none; padding: 0; margin: 0 0 .75rem; } ul.signatures li::before { content: '\\2713'; color: var(--good); margin-right: .5rem; }
fieldset { border: 0; margin: 0 0 1rem; padding: 0; }
legend { font-weight: 600; margin-bottom: .5rem; }
.choice { display: flex; gap: .6rem; align-items: center; font-weight: 400; padding: .35rem 0; }
hr { border: 0; border-top: 1px solid var(--line); margin: 1.25rem 0 .75rem; }
#fail-hint { font-size: .875rem; margin-bottom: .5rem; }
#state { margin: 0; font-weight: 600; }
#state:empty { display: none; }
.message { white-space: pre-line; }
.message:empty { display: none; }
dialog p input[data-field] { display: block; width: 100%; margin-top: .25rem; font-weight: 400; }
.spinner { position: fixed; inset: 0; display: grid; place-content: center; justify-items: center; gap: .5rem; background: color-mix(in srgb, var(--card) 90%, transparent); }
.spinner[hidden] { display: none; }
.turning { display: flex; gap: .4rem; }
.turning i { width: .8rem; height: .8rem; background: var(--accent); border-radius: 50%; animation: pulse 1s infinite alternate; }
.turning i:nth-child(2) { animation-delay: .3s; } .turning i:nth-child(3) { animation-delay: .6s; }
.cubes .turning i { border-radius: 2px; } .bounce .turning i { animation-name: jump; }
.document .turning i { width: 1.1rem; height: 1.5rem; border-radius: 2px; }
@keyframes pulse { to { opacity: .25; } }
@keyframes jump { to { transform: translateY(-.9rem); } }
`
