/** Parses the faults that the sandbox is to simulate, as tests and the control room request them. */
import { randomUUID } from 'node:crypto'
import { invalid, type FieldError } from '../server/answers'
import type { Answer, Call } from '../server/call'
import { faultKinds, type Fault, type FaultKind } from '../state/faults'
import type { World } from '../world'

/**
 * `POST /sandbox/faults`: kind, and optionally operation or method and path, count or seconds, skip, status,
 * retryAfter, delay, body, after.
 */
export function addFault(call: Call, world: World): Answer {
  const fault = readFault(call.json(), world.clock.now())
  world.faults.add(fault)
  return { status: 201, json: fault }
}

function readFault(requested: Record<string, unknown>, now: number): Fault {
  const errors: FieldError[] = []
  const kind = faultKinds.find((one) => one === requested.kind) as FaultKind | undefined
  if (!kind) errors.push({ field: 'kind', message: `kind must be one of ${faultKinds.join(', ')}.` })
  const number = (field: string, initial: number, min: number, max: number) => {
    const value = requested[field] === undefined || requested[field] === '' ? initial : Number(requested[field])
    if (!(value >= min && value <= max)) errors.push({ field, message: `${field} must be ${min} to ${max}.` })
    return value
  }
  const seconds = number('seconds', 0, 0, 86_400)
  const fault: Fault = {
    id: randomUUID(),
    kind: kind ?? 'status',
    operation: text(requested.operation),
    method: text(requested.method)?.toUpperCase(),
    path: text(requested.path),
    count: number('count', 1, 1, 1_000_000),
    until: seconds > 0 ? now + seconds * 1000 : undefined,
    skip: number('skip', 0, 0, 1_000_000),
    status: number('status', 500, 200, 599),
    retryAfter: text(requested.retryAfter),
    delay: number('delay', kind === 'slow' ? 1000 : 0, 0, 600_000),
    body: requested.body,
    after: requested.after === true,
  }
  if (errors.length > 0) throw invalid(errors)
  return fault
}

function text(value: unknown): string | undefined {
  return value === undefined || value === null || value === '' ? undefined : String(value)
}
