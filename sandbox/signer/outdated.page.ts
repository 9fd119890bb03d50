/** The script for an outdated browser in place of the app: it notifies the framing page, using only old syntax. */
var element = document.getElementById('receiver')
var receiver = JSON.parse((element && element.textContent) || '{}') as { origin?: string; host?: string }
var parts = /^http:\/\/([^/:]+)(:[0-9]+)?/.exec(document.referrer)
var target = parts && parts[1] === receiver.host ? parts[0] : receiver.origin
if (target && window.parent !== window) {
  window.parent.postMessage(JSON.stringify({ type: 'outdated_browser' }), target)
}
export {}
