/** Finds the operation of the table for a method and a path typed by a person. */
import { operations, type Operation, type OperationName } from './operations'

interface Template {
  readonly name: OperationName
  readonly method: string
  readonly segments: readonly string[]
}

const templates: readonly Template[] = Object.entries(operations).map(([name, { method, path }]) => ({
  name: name as OperationName,
  method,
  segments: segmentsOf(path),
}))

/** The operation with this method and path; undefined if the table has no such call. */
export function findOperation(method: Operation['method'], path: string): OperationName | undefined {
  const segments = segmentsOf(path)
  const fitting = templates.filter(
    (one) => one.method === method && one.segments.length === segments.length && fits(one, segments),
  )
  // If two operations fit, the one with fewer parameters wins, so that `/summary` is not mistaken for an id.
  return fitting.sort((one, other) => parametersIn(one) - parametersIn(other))[0]?.name
}

/** The path without its query, and without a slash at the end. */
function segmentsOf(path: string): string[] {
  const [way = ''] = path.split('?')
  return way.split('/').filter(Boolean)
}

function fits({ segments: expected }: Template, segments: readonly string[]): boolean {
  return expected.every((one, at) => isParameter(one) || one === segments[at])
}

const isParameter = (segment: string) => segment.startsWith('{')
const parametersIn = ({ segments }: Template) => segments.filter(isParameter).length
