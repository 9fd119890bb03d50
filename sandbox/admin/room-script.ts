/** The control room's script, as it runs in the browser: sends its forms as JSON and keeps the panels up to date. */
export const roomScript = `
(function () {
  'use strict'
  var shown = {}

  var silence
  function say(text) {
    document.getElementById('said').textContent = text
    clearTimeout(silence)
    silence = setTimeout(function () { document.getElementById('said').textContent = '' }, 4000)
  }

  function valueOf(input) {
    if (input.type === 'checkbox') return input.checked
    return input.type === 'number' || input.name === 'advance' ? Number(input.value) : input.value
  }

  function valuesOf(form, submitter) {
    var values = {}
    Array.from(form.elements).forEach(function (input) {
      var counts = input.name && input.tagName !== 'BUTTON' && input.value !== ''
      if (counts) values[input.name] = valueOf(input)
    })
    if (submitter && submitter.name) values[submitter.name] = valueOf(submitter)
    return values
  }

  // What somebody is typing into, or has unfolded, is left alone.
  function isInUse(body) {
    return body.querySelector('details[open]') || (body.contains(document.activeElement) && document.activeElement.matches('input, select, textarea'))
  }

  function put(id, html) {
    var section = document.getElementById(id)
    var body = section && section.querySelector('.body')
    if (!body || shown[id] === html) return
    var live = body.querySelector('[data-live]')
    if (live) {
      var fresh = new DOMParser().parseFromString(html, 'text/html').querySelector('[data-live]')
      replace(live, fresh.innerHTML)
    } else if (isInUse(body)) {
      return
    } else {
      replace(body, html)
    }
    shown[id] = html
  }

  // The focus stays on the button that was pressed, though it is a new one.
  function replace(body, html) {
    var buttons = Array.from(body.querySelectorAll('button, a'))
    var focused = buttons.indexOf(document.activeElement)
    body.innerHTML = html
    if (focused < 0) return
    var now = body.querySelectorAll('button, a')
    if (now[focused]) now[focused].focus()
  }

  // A table that is too wide is scrolled with the arrow keys, once Tab comes to it.
  function makeScrollable() {
    document.querySelectorAll('.body').forEach(function (body) {
      if (body.scrollWidth > body.clientWidth) body.tabIndex = 0
      else body.removeAttribute('tabindex')
    })
  }

  function refresh() {
    return fetch('/sandbox/panels').then(function (response) { return response.json() }).then(function (panels) {
      Object.keys(panels).forEach(function (id) { put(id, panels[id]) })
      makeScrollable()
    }, function () { say('The sandbox does not answer.') })
  }

  function tell(response) {
    if (response.ok) return say('Done.')
    return response.json().then(function (said) {
      var details = (said.errors || []).map(function (error) { return error.message })
      say(details.join(' ') || said.message)
    })
  }

  document.addEventListener('submit', function (event) {
    var form = event.target
    if (!form.matches('[data-json]')) return
    event.preventDefault()
    if (form.dataset.confirm && !window.confirm(form.dataset.confirm)) return
    var body = JSON.stringify(valuesOf(form, event.submitter))
    var headers = { 'Content-Type': 'application/json' }
    fetch(form.getAttribute('action'), { method: form.dataset.method || 'POST', headers: headers, body: body })
      .then(tell)
      .then(refresh)
  })
  window.addEventListener('resize', makeScrollable)
  refresh()
  setInterval(function () { if (!document.hidden) refresh() }, 2000)
})()
`
