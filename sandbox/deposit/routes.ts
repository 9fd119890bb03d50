/** The simulated deposit calls (`docs/interface.md` 4.3, 4.4), and what the nodes need beside them. */
import type { Panel } from '../admin/panel-type'
import type { Answer, Call, Route, Routes } from '../server/call'
import type { World } from '../world'
import { createDeposit } from './create'
import { fundDeposit } from './fund'
import { depositPanel } from './panel'
import { depositRecord } from './record'
import { cancelDeposit, findDeposit, terminateDeposit } from './release'
import { showSigning, signPage } from './sign'

export const depositRoutes = {
  createDeposit: { method: 'POST', path: '/deposit/personal', scope: 'deposit_write', handle: createDeposit },
  getDeposit: { method: 'GET', path: '/deposit/personal/:id', scope: 'deposit_read', handle: getDeposit },
  cancelDeposit: {
    method: 'POST',
    path: '/deposit/personal/:id/cancel',
    scope: 'deposit_write',
    handle: cancelDeposit,
  },
  terminateDeposit: {
    method: 'POST',
    path: '/deposit/personal/:id/terminate',
    scope: 'deposit_write',
    handle: terminateDeposit,
  },
} satisfies Partial<Routes>

/** Pages and control room calls of this area. */
export const depositPages: readonly Route[] = [
  { method: 'POST', path: '/sandbox/fund-deposit', admin: true, handle: fundDeposit },
  { method: 'GET', path: '/deposit/sign/:token', open: true, handle: showSigning },
  { method: 'POST', path: '/deposit/sign/:token', open: true, handle: signPage },
]

/** What the control room shows of this area. */
export const depositPanels: readonly Panel[] = [depositPanel]

/** `GET /deposit/personal/{id}`; with `queryPayment=true` the account is looked at anew. */
function getDeposit(call: Call, world: World): Answer {
  const deposit = findDeposit(call, world)
  if (call.query.get('queryPayment') === 'true') deposit.lastPaymentCheck = world.clock.iso()
  return { json: depositRecord(deposit, world) }
}
