/** Names a path of the input as the form does: `signers[0].signerInfo.email` is "Signer 1: e-mail". */
import { isTyped, type Field, type Fields } from '../../settings/fields'

/** Looks up a text of the node's catalog or the client's. */
type FindText = (key: string) => string | undefined

/** The label of the setting that fills in this path of a request or a message; the path itself if there is no label. */
export function labelOf(path: string, fields: Fields, find: FindText): string {
  const row = /^([\w$]+)\[(\d+)\](?:\.(.+))?$/.exec(path)
  if (!row) return settingLabel(path, fields, find) ?? find(`places.${path}`) ?? path
  const [, list = '', index = '', column] = row
  const one = `${find(`one.${list}`) ?? find(`fields.${list}`) ?? list} ${Number(index) + 1}`
  if (column === undefined) return one
  return `${one}: ${inSentence(cellLabel(list, column, fields, find) ?? column)}`
}

/** The label of a column of the list, or of a setting of the form that applies to every row. */
function cellLabel(list: string, column: string, fields: Fields, find: FindText): string | undefined {
  const field = fields[list]
  const columns = field && isTyped(field) ? (field.rows ?? {}) : {}
  const name = settingName(column, columns)
  return name === undefined ? settingLabel(column, fields, find) : find(`${list}Row.${name}`)
}

function settingLabel(path: string, fields: Fields, find: FindText): string | undefined {
  const name = settingName(path, fields)
  // If the node has no setting for the field, the client's catalog may name it.
  return name === undefined ? clientLabel(path, find) : find(`fields.${name}`)
}

function clientLabel(path: string, find: FindText): string | undefined {
  return /^\w+$/.test(path) ? find(`fields.${path}`) : undefined
}

/** The setting with this name, or the setting whose value is at this path of the request. */
function settingName(path: string, fields: Fields): string | undefined {
  if (Object.hasOwn(fields, path)) return path
  // Compared without regard to case, because the service capitalizes some names differently in its responses.
  const plainPath = path.replace(/\[\d*\]/g, '').toLowerCase()
  const stands = ([name, field]: [string, Field]) =>
    [name, ...[field.path ?? []].flat()].some((one) => one.toLowerCase() === plainPath)
  return Object.entries(fields).find(stands)?.[0]
}

/** A label for use within a sentence: it begins in lower case, unless it begins with several capitals (KID, TLS). */
export function inSentence(label: string): string {
  return /^\p{Lu}{2}/u.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)
}
