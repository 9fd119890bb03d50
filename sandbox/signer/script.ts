/** The signer app's script, as it runs in the browser: asks the server, posts the web messages, shows what happened. */
export const script = `
(function () {
  'use strict'
  var data = JSON.parse(document.getElementById('data').textContent)
  var texts = data.texts
  var byId = function (id) { return document.getElementById(id) }

  // On a host without a port, the port is the one the page around this was loaded from.
  function targetOrigin() {
    if (!data.receiver) return undefined
    var ancestors = Array.from(window.location.ancestorOrigins || [])
    var fitting = ancestors.concat(window.location.hash.slice(1), document.referrer).filter(function (address) {
      var url = URL.canParse(address) ? new URL(address) : undefined
      return url && url.protocol === 'http:' && data.receiver.host && url.hostname === data.receiver.host
    })
    return fitting.length > 0 ? new URL(fitting[0]).origin : data.receiver.origin
  }

  function post(message) {
    var target = targetOrigin()
    if (target && window.parent !== window) window.parent.postMessage(JSON.stringify(message), target)
  }

  function postAll(messages) { (messages || []).forEach(post) }

  function send(action, body) {
    var headers = { 'Content-Type': 'application/json', Accept: 'application/json' }
    return fetch(data.path + '/' + action, { method: 'POST', headers: headers, body: JSON.stringify(body || {}) })
      .then(function (response) {
        return response.json().then(function (said) {
          return { ok: response.ok, status: response.status, redirect: said.redirect, message: said.message, messages: said.messages }
        })
      })
  }

  function ask(action, body) {
    return send(action, body).then(function (result) {
      postAll(result.messages)
      return result
    })
  }

  // With the spinner around it: it stops before anybody hears of the result.
  function work(action, body) {
    spin(true)
    return send(action, body).then(function (result) {
      spin(false)
      postAll(result.messages)
      return result
    }, function () {
      spin(false)
      return { ok: false }
    })
  }

  function say(text, bad) {
    byId('state').className = 'card' + (bad ? ' bad' : '')
    byId('state').textContent = text
  }

  function finish(text, result) {
    byId('signing').remove()
    say(text)
    if (result.redirect) window.location.assign(result.redirect)
  }

  function spin(on) {
    byId('spinner').hidden = !on
    post({ type: on ? 'spinner_on' : 'spinner_off' })
  }

  function problem(result) {
    if (result.status === 401) say(texts.ended, true)
    else say(result.message || texts.failed, true)
  }

  function show(id) {
    var dialog = byId(id)
    if (!dialog) return Promise.resolve('yes')
    return new Promise(function (resolve) {
      dialog.returnValue = ''
      dialog.addEventListener('close', function () { resolve(dialog.returnValue) }, { once: true })
      dialog.showModal()
    })
  }

  function chosenMethod() {
    var chosen = document.querySelector('input[name=method]:checked')
    return chosen ? chosen.value : undefined
  }

  var announced
  function announce(method) {
    if (!method || method === announced) return Promise.resolve()
    return ask('method', { value: method }).then(function (result) {
      if (result.ok) announced = method
      return result
    })
  }

  function sign() {
    announce(chosenMethod()).then(function (result) {
      if (!result || result.ok) return show('before')
      problem(result)
      return 'no'
    }).then(function (answer) {
      if (answer !== 'yes') return undefined
      return work('sign', { method: chosenMethod() }).then(function (result) {
        if (!result.ok) return problem(result)
        return show('after').then(function () { finish(texts.signed, result) })
      })
    })
  }

  function leave() {
    ask('cancel').then(function (result) { result.ok ? finish(texts.canceled, result) : problem(result) })
  }

  function fail() {
    work('fail').then(function (result) {
      if (!result.ok) return problem(result)
      say(texts.failed, true)
      if (result.redirect) window.location.assign(result.redirect)
    })
  }

  // Only what the app's own viewer has shown counts as read.
  function watchViewer() {
    var viewer = byId('viewer')
    if (!viewer) return
    var read = function () { if (!data.again) ask('read') }
    if (viewer.tagName === 'PRE') return read()
    if (navigator.pdfViewerEnabled === false) return viewer.remove()
    viewer.addEventListener('load', read, { once: true })
    viewer.src = viewer.dataset.src
  }

  // Activity keeps the session alive; once a minute is enough.
  function keepAlive() {
    var last = Date.now()
    var active = function () {
      if (Date.now() - last < 60000) return
      last = Date.now()
      ask('renew').then(function (result) { if (!result.ok) problem(result) })
    }
    ;['pointerdown', 'keydown', 'scroll'].forEach(function (type) { window.addEventListener(type, active, { passive: true }) })
  }

  byId('language').addEventListener('change', function (event) {
    ask('language', { value: event.target.value }).then(function () {
      window.location.replace('/sign/start?jwt=' + data.path.slice(6) + '&lang=' + encodeURIComponent(event.target.value) + '&again=1#' + (targetOrigin() || ''))
    })
  })
  postAll(data.messages)
  var form = byId('signing')
  if (!form) return
  form.addEventListener('submit', function (event) {
    event.preventDefault()
    var id = event.submitter ? event.submitter.id : 'sign'
    if (id === 'sign') sign()
    else if (id === 'cancel') leave()
    else fail()
  })
  form.addEventListener('change', function (event) {
    if (event.target.name !== 'method') return
    announce(event.target.value).then(function (result) { if (result && !result.ok) problem(result) })
  })
  watchViewer()
  keepAlive()
})()
`
