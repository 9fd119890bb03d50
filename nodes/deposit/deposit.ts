/** Creates a deposit, reports whether it is funded, and finds and changes deposits (`docs/interface.md` 2.4, 3.2). */
import { answerError } from '../../lib/api/call/answer-error'
import { apiNode, payloadOf } from '../../lib/runtime/node/api-node'
import type { Patch } from '../../lib/runtime/node/message-call'
import { refuseEmptyChange } from '../../lib/runtime/service/empty-change'
import { collectOffsetPages } from '../../lib/runtime/service/offset-pages'
import { isLocked } from '../../lib/runtime/files/locked'
import { readWholeFile } from '../../lib/runtime/files/read-file'
import { fileOfMessage } from '../../lib/runtime/values/message-file'
import { getPath, listAt } from '../../lib/runtime/values/read-text'
import { isLate, problemsOf } from './checks'
import { fields } from './deposit.fields'
import type { DepositCall } from './deposit-call'
import { toChange, toDeposit } from './request'

export = apiNode('eid-deposit', fields, (call) => operations[call.values.operation](call))

const operations: Record<DepositCall['values']['operation'], (call: DepositCall) => Promise<Patch>> = {
  create,
  get,
  list,
  change,
}

async function create(call: DepositCall): Promise<Patch> {
  const contract = await readContract(call)
  const body = toDeposit(call, contract)
  const now = Date.now()
  call.check(problemsOf(body, now))
  if (isLate(body, now)) call.warn('lateDeadline')
  const { depositId } = call.msg
  if (typeof depositId === 'string' && depositId !== '') call.warn('second', { id: depositId })
  const { data } = await call.api.send('createDeposit', { body })
  call.setStatus('created')
  const url = getPath(listAt(data, 'tenants')[0], 'url')
  return { payload: data, depositId: getPath(data, 'id'), funded: false, ...(typeof url === 'string' && { url }) }
}

/** Returns the whole deposit; `funded` is true if it is paid in full. */
async function get(call: DepositCall): Promise<Patch> {
  const { depositId, queryPayment } = call.values
  const answer = await call.api.send('getDeposit', {
    id: depositId,
    query: { queryPayment: queryPayment || undefined },
  })
  const status = getPath(answer.data, 'status.depositStatus')
  if (typeof status !== 'string' || status === '')
    throw answerError('getDeposit', answer, '@answers.incomplete', { id: depositId ?? '' })
  const funded = status === 'PAID'
  // The status of a canceled deposit is not documented exactly, so both spellings count.
  const ended = /^(terminated|cancell?ed)$/i.test(status)
  call.setStatus(funded ? 'funded' : ended ? 'ended' : 'notFunded')
  return { payload: answer.data, depositId, funded }
}

/** The maximum number of deposits that the service returns at once. */
const pageSize = 1000

async function list(call: DepositCall): Promise<Patch> {
  const { depositStatus: status, fromDate, limit = 300 } = call.values
  const payload = await collectOffsetPages({
    limit,
    pageSize,
    idOf: (entry) => getPath(entry, 'id'),
    ask: (page) => call.api.send('listDeposits', { query: { status, fromDate, ...page } }),
  })
  call.setStatus('listed', { count: payload.data.length })
  return { payload }
}

/** Corrects the landlord of a deposit; nothing else can be corrected after creation. */
async function change(call: DepositCall): Promise<Patch> {
  const { depositId } = call.values
  const body = toChange(call)
  refuseEmptyChange(call, body)
  const answer = await call.api.send('changeDeposit', { id: depositId, body })
  call.setStatus('changed')
  return { payload: payloadOf(answer, { id: depositId, operation: 'changeDeposit' }), depositId }
}

/** Returns the rent contract in base64: the file from the form, or a Buffer in the payload. */
async function readContract(call: DepositCall): Promise<string | undefined> {
  const file = fileOfMessage(call)
  if (!file) return undefined
  const read = await readWholeFile(file, call, call.values.baseFolder)
  const problem = 'key' in read ? read : isLocked(read.bytes) ? { key: 'fileLocked' } : undefined
  if (problem) call.check([{ path: 'file', ...problem }])
  return 'bytes' in read ? read.bytes.toString('base64') : undefined
}
