/**
 * A flow around the node "batch". A test takes the rows that come out, sends them back in, and waits for the report.
 */
import node from '../../nodes/batch/batch'
import { listBatches, listEndedBatches, type FailedRow } from '../../lib/runtime/monitor/batches'
import { RED } from './errors'
import { startFlow, type Flow } from './flow'
import type { FlowMessage } from './node-types'

type Row = Record<string, unknown>

export interface Report {
  id: string
  total: number
  done: number
  failed: number
  rows: Row[]
}

export interface BatchFlow extends Flow {
  /** The next rows, in the order in which they come out. */
  rows(count: number): Promise<FlowMessage[]>
  /** Waits for the report, and skips the progress messages before it. */
  report(): Promise<FlowMessage & { payload: Report; csv: string }>
  /** Takes the next rows, this many, and sends each back to the node after `act` has changed it. */
  answer(count: number, act?: (msg: FlowMessage) => FlowMessage): Promise<void>
}

export const people = (count: number) => Array.from({ length: count }, (_none, at) => ({ number: `C-${at + 1}` }))
export const byNumber = { key: 'payload.number', keyType: 'msg' }
export const notDone = (code = 'EID_REFUSED') => ({
  error: { message: 'It was refused.', code, cause: { outcome: 'not-done' }, source: { id: 'x' } },
})
export const keysOf = (messages: readonly FlowMessage[]) => messages.map(({ batch }) => (batch as { key: string }).key)

/** The rows of this list that have an error, as people see them. */
export async function failedRows(id: string): Promise<readonly FailedRow[]> {
  const all = [...(await listBatches(RED)), ...listEndedBatches(RED)]
  return all.find((one) => one.id === id && one.node.id === 'n')?.failures ?? []
}

export async function startBatch(settings: object = {}, more: object = {}): Promise<BatchFlow> {
  const flow = await startFlow({ type: 'eid-batch', module: node, outputs: 2, settings, ...more })
  const rows = async (count: number) => {
    const all: FlowMessage[] = []
    for (let at = 0; at < count; at++) all.push(await flow.next(0))
    return all
  }
  return {
    ...flow,
    rows,
    async report() {
      for (;;) {
        const msg = await flow.next(1)
        if (msg.status === 'ended') return msg as FlowMessage & { payload: Report; csv: string }
      }
    },
    async answer(count, act = (msg) => msg) {
      for (const msg of await rows(count)) flow.send(act(msg))
    },
  }
}

/** A node that creates a contract for each row; the test adds the signers. */
export const contractNode = {
  type: 'eid-create-document',
  client: 'c',
  title: 'Contract',
  contactEmail: 'kari.nordmann@example.com',
  file: 'JVBERi0=',
  fileType: 'base64',
  fileName: 'contract.pdf',
  fileNameType: 'str',
  signersType: 'form',
} as const

/** The settings of a node that makes a share for each row. */
export const payslips = {
  title: 'Payslips',
  description: 'For May',
  expires: '10',
  expiresType: 'num',
  contentRows: [{ id: 'slip-1', idType: 'str', name: 'Payslip', nameType: 'str' }],
  recipientsRows: [
    {
      firstName: 'Ola',
      lastName: 'Nordmann',
      email: 'ola.nordmann@example.com',
      uploads: 'slip-1',
      mobileCountryCode: '47',
      mobileNumber: '99999999',
      identityProvider: 'NO_EID_WEB',
      notificationRequest: 'Off',
    },
  ],
} as const
