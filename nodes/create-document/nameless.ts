/** Finds signers whose names come from columns that are empty, so that no contract waits for a person without a name. */
import type { ProblemKey } from '../../lib/api/errors/errors'
import type { PlainObject } from '../../lib/common/plain-object'
import type { Call } from '../../lib/runtime/node/message-call'
import { listAt, textAt } from '../../lib/runtime/values/read-text'
import { fieldNames, parseTemplate } from '../../lib/settings/template'
import type { fields } from './create-document.fields'

const names = ['firstName', 'lastName'] as const

/**
 * Returns a problem for each name that was written as a text with fields, if the signer ends up without any name. A
 * name that was not filled in at all is no problem.
 */
export function namelessSigners(body: PlainObject, { origin }: Pick<Call<typeof fields>, 'origin'>): ProblemKey[] {
  const { type, rows } = origin('signers')
  if (type !== 'form') return []
  const signers = listAt(body, 'signers')
  return rows.flatMap((row, index) => {
    const isNamed = names.some((name) => textAt(signers[index], `signerInfo.${name}`).trim() !== '')
    return isNamed ? [] : names.flatMap((name) => emptyProblem(row, name, `signers[${index}].${name}`))
  })
}

function emptyProblem(row: PlainObject, name: (typeof names)[number], path: string): ProblemKey[] {
  const template = (row[`${name}Type`] ?? 'tpl') === 'tpl' ? parseTemplate(String(row[name] ?? '')) : { parts: [] }
  const [field] = 'parts' in template ? fieldNames(template) : []
  return field === undefined ? [] : [{ path, key: 'fieldEmpty', params: { field } }]
}
