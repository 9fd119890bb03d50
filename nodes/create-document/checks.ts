/** Validates a create-document request before it is sent, and finds doubtful values. */
import type { ProblemKey } from '../../lib/api/errors/errors'
import { redact } from '../../lib/api/errors/mask'
import type { PlainObject } from '../../lib/common/plain-object'
import { deadlineMs, documentDeadlineProblems } from '../../lib/runtime/service/deadline'
import { getPath, listAt, textAt } from '../../lib/runtime/values/read-text'
import {
  channel,
  colour,
  countryCode,
  documentName,
  domains,
  email,
  ownId,
  isImpossiblePhone,
  phone,
  themeMode,
  type Rule,
} from '../../lib/settings/rules'
import { redirectNeeds } from '../../lib/settings/together'
import { fields, longestLifeMs } from './create-document.fields'

/** The longest time for which files may be kept according to the documentation; the shortest is seven days. */
const longestKeepHours = 744

/**
 * Returns all faults in `body` that would make the request fail. The rules of the form apply wherever the request comes
 * from.
 */
export function problemsOf(body: PlainObject, now: number): ProblemKey[] {
  const signers = Array.isArray(body.signers) ? (body.signers as unknown[]) : []
  const none = signers.length === 0 ? [{ path: 'signers', key: 'noSigner' }] : []
  const each = signers.flatMap((signer, index) => signerProblems(signer, `signers[${index}]`))
  const rest = [...fileProblems(body), ...documentDeadlineProblems(body, now), ...noticeProblems(body)]
  const together = [...repeatedIdProblems(signers), ...countProblems(body, signers.length)]
  return [...missingProblems(body), ...keyProblems(body), ...none, ...each, ...together, ...rest]
}

function missingProblems(body: PlainObject): ProblemKey[] {
  const contact = getPath(body, 'contactDetails.email')
  const wanted = ['title', 'contactDetails.email', ...(getPath(body, 'advanced.attachments') ? [] : ['dataToSign'])]
  return [
    ...wanted.filter((path) => !getPath(body, path)).map((path) => ({ path, key: 'missing' })),
    ...(contact ? ruleProblems(body, '', [['contactDetails.email', email]]) : []),
  ]
}

/** Without a key, the request gets one; a key that is neither text nor number is refused where the key is chosen. */
function keyProblems({ externalId }: PlainObject): ProblemKey[] {
  const isGiven = typeof externalId === 'number' || (typeof externalId === 'string' && externalId !== '')
  return isGiven ? ruleProblems({ externalId }, '', [['externalId', ownId]]) : []
}

/** Returns the values that break their rule; a missing value breaks no rule. */
function ruleProblems(from: unknown, prefix: string, rules: readonly (readonly [string, Rule])[]): ProblemKey[] {
  return rules.flatMap(([path, rule]) => {
    const value = getPath(from, path)
    if (value === undefined || value === null) return []
    const isText = typeof value === 'string' || typeof value === 'number'
    const key = rule(isText ? String(value) : '')
    return key ? [{ path: `${prefix}${path}`, key }] : []
  })
}

const signerRules = [
  ['externalSignerId', ownId],
  ['signerInfo.email', email],
  ['signerInfo.mobile.countryCode', countryCode],
  ['signerInfo.mobile.number', phone],
  ['ui.styling.themeMode', themeMode],
  ['ui.styling.backgroundColor', colour],
] as const

function signerProblems(signer: unknown, path: string): ProblemKey[] {
  if (typeof signer !== 'object' || signer === null) return [{ path, key: 'object' }]
  const setup = getPath(signer, 'notifications.setup')
  const moments = typeof setup === 'object' && setup !== null ? Object.keys(setup) : []
  const channelRules = moments.map((moment) => [moment, channel] as const)
  return [
    ...ruleProblems(signer, `${path}.`, signerRules),
    ...ruleProblems(setup, `${path}.notifications.setup.`, channelRules),
    ...mobileProblems(signer, path),
    ...redirectProblems(signer, path),
  ]
}

function mobileProblems(signer: object, path: string): ProblemKey[] {
  const { number, countryCode: code } = (getPath(signer, 'signerInfo.mobile') ?? {}) as PlainObject
  if (!number || phone(String(number)) !== undefined) return []
  if (!code) return [{ path: `${path}.signerInfo.mobile.countryCode`, key: 'missing' }]
  return isImpossiblePhone(code, number) ? [{ path: `${path}.signerInfo.mobile.number`, key: 'phoneNorway' }] : []
}

/** Returns the name of a setting in the request. */
const inRequest = (name: string) => fields[name as 'domain'].path.replace('redirectSettings.', '')

function redirectProblems(signer: object, path: string): ProblemKey[] {
  const settings = getPath(signer, 'redirectSettings')
  const mode = getPath(settings, 'redirectMode')
  const wanted = (typeof mode === 'string' && Object.hasOwn(redirectNeeds, mode) && redirectNeeds[mode]) || []
  const missing = wanted
    .map(inRequest)
    .filter((name) => !getPath(settings, name))
    .map((name) => ({
      path: `${path}.redirectSettings.${name}`,
      key: 'neededFor',
      params: { mode: `@words.redirectMode.${String(mode)}` },
    }))
  const domain = getPath(settings, 'domain')
  const badSpaces = typeof domain === 'string' && domains(domain)
  return badSpaces ? [...missing, { path: `${path}.redirectSettings.domain`, key: 'domainSpaces' }] : missing
}

function fileProblems(body: PlainObject): ProblemKey[] {
  const data = body.dataToSign
  if (data === undefined) return []
  const content = getPath(data, 'base64Content')
  if (typeof content !== 'string' || content === '') return [{ path: 'dataToSign', key: 'onlyName' }]
  const name = getPath(data, 'fileName')
  const path = 'dataToSign.fileName'
  if (typeof name !== 'string' || name === '') return [{ path, key: 'missing' }]
  const key = documentName(name)
  return key ? [{ path, key }] : []
}

/** Finds signers with the same id, because their signatures could not be told apart. */
function repeatedIdProblems(signers: readonly unknown[]): ProblemKey[] {
  const ids = signers.map((one) => getPath(one, 'externalSignerId'))
  return ids.flatMap((id, index) =>
    typeof id === 'string' && id !== '' && ids.indexOf(id) < index
      ? [{ path: `signers[${index}].externalSignerId`, key: 'repeatedSigner', params: { first: ids.indexOf(id) + 1 } }]
      : [],
  )
}

/** Refuses more required signatures than there are signers, because they could never be collected. */
function countProblems(body: PlainObject, signers: number): ProblemKey[] {
  const path = 'advanced.requiredSignatures'
  const wanted = Number(getPath(body, path) ?? 0)
  return signers > 0 && wanted > signers ? [{ path, key: 'tooManySignatures', params: { count: signers } }] : []
}

/**
 * Finds problems with notices. Without a schedule, the service sends no reminders and refuses the other settings about
 * reminders. Each address for copies must be valid.
 */
function noticeProblems(body: PlainObject): ProblemKey[] {
  const path = 'notification.reminder.chronSchedule'
  const reminder = getPath(body, 'notification.reminder')
  const unscheduled = reminder !== undefined && reminder !== null && !getPath(body, path)
  const copies = 'notification.finalReceipt.additionalRecipients'
  const badCopy = listAt(body, copies).some((one) => email(textAt(one, 'email')) !== undefined)
  return [...(unscheduled ? [{ path, key: 'missing' }] : []), ...(badCopy ? [{ path: copies, key: 'emails' }] : [])]
}

/** Returns the keys of warnings about unusual values in `body`, which the service may still accept. */
export function warningsFor(body: PlainObject, now: number): { key: string; params?: Record<string, string> }[] {
  const deadline = deadlineMs(getPath(body, 'advanced.timeToLive.deadline'))
  const keepHours = Number(getPath(body, 'advanced.timeToLive.deleteAfterHours') ?? 0)
  return [
    ...(deadline > now + longestLifeMs ? [{ key: 'longDeadline' }] : []),
    ...(keepHours > longestKeepHours ? [{ key: 'longKeep' }] : []),
    ...pdfWarning(body),
  ]
}

function pdfWarning(body: PlainObject): { key: string; params: Record<string, string> }[] {
  const content = getPath(body, 'dataToSign.base64Content')
  const fileName = getPath(body, 'dataToSign.fileName')
  if (typeof content !== 'string' || typeof fileName !== 'string' || !/\.pdf$/i.test(fileName)) return []
  const beginning = Buffer.from(content.slice(0, 64), 'base64').toString('latin1')
  return beginning.startsWith('%PDF') ? [] : [{ key: 'notPdf', params: { fileName: redact(fileName) } }]
}
