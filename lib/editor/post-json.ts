/** Sends an object to a route of the server. */

/** `url` has no leading slash, because the editor may be served below a path. `more` are further options of jQuery. */
export const postJson = (url: string, body: object, more: JQuery.AjaxSettings = {}) =>
  $.ajax({ ...more, url, method: 'POST', contentType: 'application/json', data: JSON.stringify(body) })
