/**
 * The routes through which an open form looks into a file: the fields of a Word file, the columns of a list, a preview.
 */
import { isPlainObject, type PlainObject } from '../../lib/common/plain-object'
import { maxChosenBytes } from '../../lib/common/limits'
import { absolutePath } from '../../lib/runtime/files/files'
import { readWholeFile } from '../../lib/runtime/files/read-file'
import { readRowList } from '../../lib/runtime/files/row-list'
import { fieldsOfFile, textOfWord } from '../../lib/runtime/files/word-file'
import type { FileProblem } from '../../lib/runtime/files/file-problem'
import { editorJson, objectIn } from '../../lib/runtime/http/editor-only'
import type { HttpRequest, HttpResponse, Runtime } from '../../lib/runtime/node-red/node-red'
import { shownLanguage } from '../../lib/runtime/node-red/shown-language'
import { fillWithSamples } from '../../lib/runtime/service/word-samples'
import { stat } from 'node:fs/promises'
import type { RowAsShown } from '../../lib/runtime/values/as-shown'
import { textOf } from '../../lib/runtime/values/read-text'
import { unfitKeys } from './unfit-keys'

/** Rows of a list that a form shows. */
const shownRows = 5

/**
 * Registers the routes below. Only people who may deploy can use them, because they can already reach every file that
 * Node-RED can reach. The paths are in the body, because request paths end up in logs.
 * - `POST eid/files/fields` `{path, baseFolder}`: `{fields, lists}`, the names of the fields of a Word file, and of those
 *   that need a list. A file of another type has none.
 * - `POST eid/files/rows` `{path, sheet, language}`: `{columns, rows, count, unfit}` of a list. `rows` are only its first
 *   rows, as their cells show them;
 *   `unfit` contains, for each column that can't be the row key, the reason.
 * - `POST eid/files/preview` `{path, baseFolder, fields, list, row, download}`: `{text, empty}`, or the filled file.
 *   `empty` are the fields because of which the row would not be sent.
 *
 * If the file can't be used, each route returns `{problem: {key, params}}`.
 */
export function registerSourceRoutes(RED: Runtime): void {
  const route = (path: string, answer: (body: PlainObject, response: HttpResponse) => Promise<unknown>) =>
    RED.httpAdmin.post(path, ...editorJson(RED), (request: HttpRequest, response: HttpResponse) => {
      void answer(objectIn(request), response)
        .catch(() => ({ problem: { key: 'fileMissing' } }))
        .then((found) => found !== undefined && response.json(found))
    })
  route('/eid/files/fields', (body) => wordFields(RED, body))
  route('/eid/files/rows', async (body) => {
    const list = await listOf(RED, body)
    if ('problem' in list) return list
    const { columns, rows, shown = [] } = list
    const first = rows.slice(0, shownRows).map((row, at) => ({ ...row, ...shown[at] }))
    return { columns, rows: first, count: rows.length, unfit: unfitKeys(columns, rows) }
  })
  route('/eid/files/preview', (body, response) => preview(RED, body, response))
}

type Problem = { readonly problem: FileProblem }

async function wordFields(RED: Runtime, body: PlainObject) {
  const bytes = await bytesOf(RED, body)
  if ('problem' in bytes) return bytes
  const fields = await fieldsOfFile(bytes.bytes)
  if ('key' in fields) return { problem: fields }
  const lists = fields.filter(({ inside }) => inside)
  return { fields: fields.map(({ name }) => name), lists: lists.map(({ name }) => name) }
}

async function listOf(RED: Runtime, body: PlainObject) {
  const bytes = await bytesOf(RED, body)
  if ('problem' in bytes) return bytes
  const list = await readRowList(bytes.bytes, {
    sheet: textOf(body.sheet),
    language: shownLanguage(RED, textOf(body.language)),
  })
  return 'key' in list ? { problem: list } : list
}

async function preview(RED: Runtime, body: PlainObject, response: HttpResponse): Promise<unknown> {
  const bytes = await bytesOf(RED, body)
  if ('problem' in bytes) return bytes
  const fields = await fieldsOfFile(bytes.bytes)
  if ('key' in fields) return { problem: fields }
  const row = await rowOf(RED, body)
  if (row && 'problem' in row) return row
  const given = Array.isArray(body.fields) ? (body.fields as unknown[]) : []
  const filled = await fillWithSamples(RED, bytes.bytes, { fields, given, row })
  if (!('bytes' in filled)) return { problem: filled.problems[0] }
  if (body.download !== true) return { text: await textOfWord(filled.bytes), empty: filled.empty }
  response.set({
    'Content-Type': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'Content-Disposition': 'attachment; filename="preview.docx"',
  })
  response.send(filled.bytes)
  return undefined
}

/**
 * Returns the row that the person chose from the list. The number `row` counts from 1. Undefined if there is no list.
 */
export async function rowOf(RED: Runtime, { list, row }: PlainObject): Promise<RowAsShown | Problem | undefined> {
  if (!isPlainObject(list) || typeof row !== 'number') return undefined
  const read = await listOf(RED, list)
  if ('problem' in read) return read
  const found = read.rows[row - 1]
  return found
    ? { row: found, shown: read.shown?.[row - 1] ?? {} }
    : { problem: { key: 'listRow', params: { row, count: read.rows.length } } }
}

async function bytesOf(RED: Runtime, body: PlainObject): Promise<{ bytes: Buffer } | Problem> {
  const path = textOf(body.path)
  const baseFolder = textOf(body.baseFolder)
  const { fileWorkingDirectory: workingDirectory } = RED.settings
  const folder = baseFolder === '' ? workingDirectory : absolutePath(baseFolder, workingDirectory)
  const found = await stat(absolutePath(path, folder))
  if (!found.isFile() || found.size > maxChosenBytes) return { problem: { key: 'fileMissing' } }
  const where = { workingDirectory, client: {}, signal: new AbortController().signal }
  const read = await readWholeFile({ from: 'path', path, typed: true }, where, baseFolder)
  return 'key' in read ? { problem: read } : read
}
