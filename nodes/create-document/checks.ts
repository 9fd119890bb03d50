/** What a create-document request must have before it is sent, and what is only doubtful. */
import type { ProblemKey } from '../../lib/api/errors'
import type { PlainObject } from '../../lib/runtime/body'
import { getPath } from '../../lib/runtime/read-text'
import { colour, domains, themeMode } from '../../lib/rules'

const extensions = ['.pdf', '.xml', '.txt', '.doc', '.docx', '.rtf', '.ott', '.odt']
const longestLife = 45 * 86_400_000

/** Everything in `body` that can never work. */
export function problemsOf(body: PlainObject, now: number): ProblemKey[] {
  const signers = Array.isArray(body.signers) ? (body.signers as unknown[]) : []
  const none = signers.length === 0 ? [{ path: 'signers', key: 'noSigner' }] : []
  const each = signers.flatMap((signer, index) => signerProblems(signer, `signers[${index}]`))
  return [...none, ...each, ...fileProblems(body), ...deadlineProblems(body, now)]
}

function signerProblems(signer: unknown, path: string): ProblemKey[] {
  if (typeof signer !== 'object' || signer === null) return [{ path, key: 'object' }]
  const problems: ProblemKey[] = []
  const refuse = (inner: string, key: string) => problems.push({ path: `${path}.${inner}`, key })
  for (const [name, rule] of [['themeMode', themeMode] as const, ['backgroundColor', colour] as const]) {
    const value = getPath(signer, `ui.styling.${name}`)
    const key = value === undefined ? undefined : rule(typeof value === 'string' ? value : '')
    if (key) refuse(`ui.styling.${name}`, key)
  }
  return [...problems, ...redirectProblems(signer, path)]
}

/** Which redirect settings each mode cannot do without. */
const needs: Readonly<Record<string, readonly string[]>> = {
  redirect: ['success', 'cancel', 'error'],
  iframe_with_redirect: ['success', 'cancel', 'error'],
  iframe_with_webmessaging: ['domain'],
  iframe_with_redirect_and_webmessaging: ['success', 'cancel', 'error', 'domain'],
}

function redirectProblems(signer: object, path: string): ProblemKey[] {
  const settings = getPath(signer, 'redirectSettings')
  const mode = getPath(settings, 'redirectMode')
  const wanted = (typeof mode === 'string' && Object.hasOwn(needs, mode) && needs[mode]) || []
  const missing = wanted
    .filter((name) => !getPath(settings, name))
    .map((name) => ({ path: `${path}.redirectSettings.${name}`, key: 'neededFor', params: { mode: String(mode) } }))
  const domain = getPath(settings, 'domain')
  const badSpaces = typeof domain === 'string' && domains(domain)
  return badSpaces ? [...missing, { path: `${path}.redirectSettings.domain`, key: 'domainSpaces' }] : missing
}

function fileProblems(body: PlainObject): ProblemKey[] {
  const data = body.dataToSign
  if (data === undefined) return []
  const name = getPath(data, 'fileName')
  const path = 'dataToSign.fileName'
  if (typeof name !== 'string' || name === '') return [{ path, key: 'missing' }]
  const good = extensions.some((extension) => name.toLowerCase().endsWith(extension))
  return good ? [] : [{ path, key: 'extension', params: { extensions: extensions.join(' ') } }]
}

function deadlineProblems(body: PlainObject, now: number): ProblemKey[] {
  const deadline = getPath(body, 'advanced.timeToLive.deadline')
  if (deadline === undefined) return []
  const path = 'advanced.timeToLive.deadline'
  const time = Date.parse(String(deadline))
  if (Number.isNaN(time)) return [{ path, key: 'date' }]
  return time <= now ? [{ path, key: 'past' }] : []
}

/** What is missing or unusual in `body` although the service may take it; keys of the node's warnings. */
export function warningsFor(body: PlainObject, now: number): { key: string; params?: Record<string, string> }[] {
  const wanted = ['title', 'contactDetails.email', ...(getPath(body, 'advanced.attachments') ? [] : ['dataToSign'])]
  const absent = wanted.filter((path) => !getPath(body, path))
  const deadline = Date.parse(String(getPath(body, 'advanced.timeToLive.deadline') ?? ''))
  return [
    ...(absent.length > 0 ? [{ key: 'usuallyNeeded', params: { fields: absent.join(', ') } }] : []),
    ...(deadline > now + longestLife ? [{ key: 'longDeadline' }] : []),
    ...pdfWarning(body),
  ]
}

function pdfWarning(body: PlainObject): { key: string; params: Record<string, string> }[] {
  const content = getPath(body, 'dataToSign.base64Content')
  const fileName = getPath(body, 'dataToSign.fileName')
  if (typeof content !== 'string' || typeof fileName !== 'string' || !/\.pdf$/i.test(fileName)) return []
  const beginning = Buffer.from(content.slice(0, 64), 'base64').toString('latin1')
  return beginning.startsWith('%PDF') ? [] : [{ key: 'notPdf', params: { fileName } }]
}
