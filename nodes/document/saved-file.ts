/** Which file an operation saves, and the key by which the errors about this file are found once it is saved. */
import { basename } from 'node:path'
import { redact } from '../../lib/api/errors/redact'
import { absolutePath, isForeignPath } from '../../lib/runtime/files/files'
import { fileKey, type BySetting, type FileParts } from '../../lib/runtime/monitor/unsaved-files'
import type { DocumentCall } from './document-call'
import { fields } from './document.fields'

/** True if the operation saves a file; without "Save as", a download leaves the file in the message. */
export function savesFile({ values: { operation }, origin }: DocumentCall): boolean {
  return operation === 'archive' || (operation === 'download' && Boolean(origin('saveTo').typed))
}

/**
 * Returns the name of the file to save if this name decides the format: a name that ends in .pdf requests the signed
 * PDF, unless another format was chosen.
 */
export function nameForPdf(call: DocumentCall): string | undefined {
  const { saveTo = '', ofSigner } = call.values
  const isPdf = /\.pdf$/i.test(saveTo) && ofSigner === undefined
  return isPdf && !isFormatChosen(call) ? redact(basename(saveTo)) : undefined
}

function isFormatChosen({ origin }: DocumentCall): boolean {
  const { isChosen, typed } = origin('fileFormat')
  return isChosen || typed !== fields.fileFormat.initial
}

/**
 * The key of the file that the operation has saved. A setting that has no usable value is unknown. The path of a
 * download is not part of the key, because people correct it after an error.
 */
export function savedFileKey(call: DocumentCall): string {
  return keyOf(call, { setting: nameSetting(call), value: formatOf(call, true) })
}

/**
 * The key of the file that the operation has not saved: the same as when it is saved, except for a format that the name
 * decides. This format is unknown if the corrected name may decide another one, and no longer matters once the form
 * names the file in another way. `code` is the system's error code.
 */
export function unsavedFileKey(call: DocumentCall, code?: string): string {
  const format = formatOf(call, isNameFinal(call, code))
  return keyOf(call, isFormatChosen(call) ? format : { setting: nameSetting(call), value: format })
}

/**
 * Whether a corrected path will still have this name. The path of a folder (`EISDIR`), and one without an ending, may be
 * that of the folder in which the file belongs. But if each message names its own path, the next path is more likely
 * that of another file.
 */
function isNameFinal(call: DocumentCall, code: string | undefined): boolean {
  const { saveTo = '' } = call.values
  const isFolder = code === 'EISDIR'
  if (isPathFixed(call)) return !isFolder && hasEnding(saveTo)
  return isFolder ? /\.(pdf|xml|zip|txt)$/i.test(saveTo) : /[^/\\]$/.test(saveTo)
}

/** Whether the path is the same for each message. */
function isPathFixed({ origin }: DocumentCall): boolean {
  const { type, typed } = origin('saveTo')
  return ['str', 'env'].includes(type) || (type === 'tpl' && !/(?<!\$)\{/.test(String(typed)))
}

/** Whether the last part of a path has an ending such as .pdf; a path without one may be that of a folder. */
const hasEnding = (path: string) => /[^/\\]\.[a-z]\w*$/i.test(path)

function keyOf(call: DocumentCall, format: FileParts[number]): string {
  const { operation, documentId, ofAttachment } = call.values
  const parts =
    operation === 'archive' ? [folderOf(call)] : [format, signerOf(call), partOf(call, 'ofAttachment', ofAttachment)]
  return fileKey([operation, documentId, ...parts])
}

/** The format of the file; `isNamed` says whether the name may decide it. */
function formatOf(call: DocumentCall, isNamed: boolean): string | undefined {
  const signer = signerOf(call)
  // The name decides nothing for the file of one signer. A missing signer leaves this open.
  const isKnown = isFormatChosen(call) || Boolean(signer) || (signer === '' && isNamed)
  const format = nameForPdf(call) === undefined ? call.values.fileFormat || undefined : 'pades'
  return isKnown ? format : undefined
}

const signerOf = (call: DocumentCall) => partOf(call, 'ofSigner', call.values.ofSigner)

function partOf({ origin }: DocumentCall, name: 'ofSigner' | 'ofAttachment', value: string | undefined) {
  return value || (origin(name).typed ? undefined : '')
}

/**
 * What the form says about the name that decides the format: the path, in which a variable counts by its value, or only
 * its ending if the name comes with the message. The ending is empty if it comes with the message as well.
 */
function nameSetting(call: DocumentCall): string {
  const { type, typed } = call.origin('saveTo')
  if (isPathFixed(call)) return call.values.saveTo ?? ''
  return (type === 'tpl' && /\.\w+$/.exec(String(typed))?.[0]) || ''
}

/**
 * The archive's folder if each message may name its own, also by a variable that the flow sets for each message: a
 * document may belong in several archives. Any other folder is the node's only one, also after it has been corrected. If
 * the setting is corrected in the form, the folder before no longer matters.
 */
function folderOf({ values: { archiveFolder = '' }, origin, workingDirectory }: DocumentCall): BySetting {
  const { type, typed } = origin('archiveFolder')
  const setting = `${type} ${String(typed)}`
  if (!['msg', 'flow', 'global', 'jsonata'].includes(type)) return { setting, value: '' }
  const isUsable = archiveFolder !== '' && !isForeignPath(archiveFolder)
  return { setting, value: isUsable ? absolutePath(archiveFolder, workingDirectory) : undefined }
}
