/** The simulated deposit calls (`docs/interface.md` 4.3, 4.4), and others that the nodes need. */
import type { Panel } from '../admin/panel-type'
import type { Answer, Call, Method, Route, Routes } from '../server/call'
import type { World } from '../world'
import { changeDeposit } from './change'
import { createDeposit } from './create'
import { fundDeposit } from './fund'
import { listDeposits } from './list'
import { depositPanel } from './panel'
import { depositRecord } from './record'
import { cancelDeposit, findDeposit, terminateDeposit } from './release'
import { showSigning, signPage } from './sign'

const at = (method: Method, path: string, scope: string, handle: Route['handle']): Route => {
  return { method, path: `/deposit/personal${path}`, scope, handle }
}
const reading = 'deposit_read'
const writing = 'deposit_write'

export const depositRoutes = {
  createDeposit: at('POST', '', writing, createDeposit),
  getDeposit: at('GET', '/:id', reading, getDeposit),
  listDeposits: at('GET', '/summary', reading, listDeposits),
  changeDeposit: at('PATCH', '/:id', writing, changeDeposit),
  cancelDeposit: at('POST', '/:id/cancel', writing, cancelDeposit),
  terminateDeposit: at('POST', '/:id/terminate', writing, terminateDeposit),
} satisfies Partial<Routes>

/** Pages and control room calls of this area. */
export const depositPages: readonly Route[] = [
  { method: 'POST', path: '/sandbox/fund-deposit', admin: true, handle: fundDeposit },
  { method: 'POST', path: '/sandbox/deposits/:token/sign', admin: true, handle: signPage },
  { method: 'POST', path: '/sandbox/deposits/:id/cancel', admin: true, handle: cancelDeposit },
  { method: 'GET', path: '/deposit/sign/:token', open: true, handle: showSigning },
  { method: 'POST', path: '/deposit/sign/:token', open: true, handle: signPage },
]

/** The control room panels of this area. */
export const depositPanels: readonly Panel[] = [depositPanel]

/** `GET /deposit/personal/{id}`; with `queryPayment=true` the account is checked again. */
function getDeposit(call: Call, world: World): Answer {
  const deposit = findDeposit(call, world)
  if (call.query.get('queryPayment') === 'true') deposit.lastPaymentCheck = world.clock.iso()
  return { json: depositRecord(deposit, world) }
}
