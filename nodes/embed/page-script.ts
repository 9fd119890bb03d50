/** The page's script, as it runs in the browser: checks who posts, reports every message in order, tells the visitor. */

export const script = `
(function () {
  'use strict'
  var data = JSON.parse(document.getElementById('data').textContent)
  var frame = document.getElementById('app')
  var state = document.getElementById('state')
  var plain = document.getElementById('plain')
  var waiting = []
  var sending = false
  var started = false

  function report() {
    if (sending || waiting.length === 0) return
    sending = true
    var message = waiting[0]
    fetch(data.messages, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ origin: message.origin, data: message.data }),
      keepalive: true
    }).then(function () { return true }, function () { return ++message.tries > 3 }).then(function (ended) {
      if (ended) waiting.shift()
      window.setTimeout(function () { sending = false; report() }, ended ? 0 : 1000)
    })
  }

  function offerLink(text) {
    state.textContent = text
    plain.hidden = false
  }

  function begin() {
    if (started) return
    started = true
    if (state.textContent !== data.texts.outdated) {
      state.textContent = ''
      plain.hidden = true
    }
    frame.focus()
  }

  function tell(type) {
    if (type === 'app_started') begin()
    else if (type === 'outdated_browser') { started = true; offerLink(data.texts.outdated) }
    else if (data.ends[type]) { started = true; state.textContent = data.ends[type] }
  }

  function read(text) {
    try {
      var message = JSON.parse(text)
      return message && typeof message === 'object' ? message : undefined
    } catch (error) {
      return undefined
    }
  }

  window.addEventListener('message', function (event) {
    if (data.origins.indexOf(event.origin) < 0 || event.source !== frame.contentWindow) return
    if (typeof event.data !== 'string' || event.data.length > data.maxMessageLength) return
    var message = read(event.data)
    if (!message) return
    waiting.push({ origin: event.origin, data: event.data, tries: 0 })
    report()
    tell(data.session ? message.status : message.type)
  })

  frame.addEventListener('load', function () {
    if (data.session) begin()
    else frame.focus()
  })
  window.setTimeout(function () { if (!started) offerLink(data.texts.slow) }, data.appTimeoutMs)
  state.textContent = data.texts.opening
  frame.src = data.url
})()
`
