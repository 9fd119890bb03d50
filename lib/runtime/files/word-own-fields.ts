/** Finds fields that Word itself fills in, by the instructions that Word stores for them. */
import type { FileProblem } from './file-problem'
import { maxNamed, textOfMarkup } from './other-text'

/** The fields that only a mail merge of Word fills in. */
const ofMailMerge = /^(?:MERGEFIELD|ADDRESSBLOCK|GREETINGLINE|MERGEREC|MERGESEQ|MERGEBARCODE)$/

/** The other kinds of fields (ECMA-376, part 1, 17.16.5, and those that Word has added). */
const kinds = new Set(
  `= ADDIN ADVANCE ASK AUTHOR AUTONUM AUTONUMLGL AUTONUMOUT AUTOTEXT AUTOTEXTLIST BARCODE BIBLIOGRAPHY BIDIOUTLINE
CITATION COMMENTS COMPARE CONTROL CREATEDATE DATA DATABASE DATE DDE DDEAUTO DISPLAYBARCODE DOCPROPERTY DOCVARIABLE
EDITTIME EMBED EQ EXPRESSION FILENAME FILESIZE FILLIN FORMCHECKBOX FORMDROPDOWN FORMTEXT FTNREF GLOSSARY GOTOBUTTON
HTMLACTIVEX HTMLCONTROL HYPERLINK IF IMPORT INCLUDE INCLUDEPICTURE INCLUDETEXT INDEX INFO KEYWORDS LASTSAVEDBY LINK
LISTNUM MACRO MACROBUTTON NEXT NEXTIF NOTEREF NUMCHARS NUMPAGES NUMWORDS OCX PAGE PAGEREF PRINT PRINTDATE PRIVATE
QUOTE RD REF REVNUM SAVEDATE SECTION SECTIONPAGES SEQ SET SHAPE SKIPIF STYLEREF SUBJECT SUBSCRIBER SYMBOL TA TC
TEMPLATE TIME TITLE TOA TOC USERADDRESS USERINITIALS USERNAME XE`.split(/\s/),
)

/**
 * The fault of the first field that nothing would fill in: one of a mail merge, or braces that were typed with Ctrl+F9,
 * which hold a name that only the person knows.
 */
export function ownFieldIn(markups: readonly string[]): FileProblem | undefined {
  const bookmarks = new Set(
    markups.flatMap((one) =>
      [...one.matchAll(/<w:bookmarkStart\s[^<>]*?w:name="([^"]*)"/g)].map(([, name = '']) => name.toUpperCase()),
    ),
  )
  for (const instruction of markups.flatMap(instructionsIn)) {
    const [all = '', kind = '', quoted, bare] = /^\s*(=|[^\s\\"]+)\s*(?:"([^"]+)"|([^\s"\\]+))?/.exec(instruction) ?? []
    if (all === '') continue
    const upper = kind.toUpperCase()
    if (ofMailMerge.test(upper)) {
      const name = (quoted ?? bare ?? kind).slice(0, maxNamed)
      return { key: 'wordMergeField', params: { name, field: `{${name}}` } }
    }
    // What follows the name says how Word shows the value.
    const name = instruction.replace(/\\.*$/s, '').trim().slice(0, maxNamed)
    if (!kinds.has(upper) && !bookmarks.has(upper)) return { key: 'wordOwnField', params: { name, field: `{${name}}` } }
  }
  return undefined
}

/** The beginning, the middle and the end of a field, or a piece of its instruction; or a field in one element. */
const pieces =
  /<w:fldChar\s[^<>]*?w:fldCharType="(\w+)"|<w:instrText(?:\s[^<>]*)?>([^<]*)<|<w:fldSimple\s[^<>]*?w:instr="([^"<]*)"/g

/** The instructions of all fields, which Word may have split over runs and put into one another. */
export function instructionsIn(markup: string): string[] {
  const found: string[] = []
  const open: { text: string; isRead: boolean }[] = []
  for (const [, mark, piece, simple] of markup.matchAll(pieces)) {
    const last = open.at(-1)
    if (simple !== undefined) found.push(textOfMarkup(simple))
    else if (piece !== undefined && !last) found.push(textOfMarkup(piece))
    else if (piece !== undefined && last && !last.isRead) last.text += textOfMarkup(piece)
    else if (mark === 'begin') open.push({ text: '', isRead: false })
    else if (mark === 'separate' && last) last.isRead = true
    else if (mark === 'end' && last) found.push((open.pop() as { text: string }).text)
  }
  return found
}
