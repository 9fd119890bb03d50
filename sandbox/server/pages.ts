/** Pages of a list: the requested part, and the addresses of its neighbors. */
import type { World } from '../world'
import { invalid } from './answers'
import type { Call } from './call'

interface ListPage<Item> {
  readonly offset: number
  readonly limit: number
  readonly size: number
  readonly links: Readonly<Record<'first' | 'previous' | 'next' | 'last', string>>
  readonly data: readonly Item[]
}

/** The page given by `offset` and `limit` in the query. Throws an HttpError (400) if they are not numbers. */
export function pageOf<Item>(
  call: Call,
  world: World,
  all: readonly Item[],
  sizes: { readonly usual: number; readonly max: number },
): ListPage<Item> {
  const offset = numberOf(call, 'offset', 0, 0)
  const limit = Math.min(numberOf(call, 'limit', 1, sizes.usual), sizes.max)
  const link = (start: number) => linkTo(call, world, start, limit)
  const links = {
    first: link(0),
    previous: offset > 0 ? link(Math.max(0, offset - limit)) : '',
    next: offset + limit < all.length ? link(offset + limit) : '',
    last: link(Math.max(0, Math.ceil(all.length / limit) - 1) * limit),
  }
  return { offset, limit, size: all.length, links, data: all.slice(offset, offset + limit) }
}

/** Throws an HttpError (400) if one of these query parameters is given but not a date. */
export function checkDates({ query }: Call, names: readonly string[]): void {
  const wrong = names.filter((name) => query.get(name) && Number.isNaN(Date.parse(query.get(name) ?? '')))
  if (wrong.length > 0) throw invalid(wrong.map((field) => ({ field, message: `${field} is not a date.` })))
}

function numberOf({ query }: Call, name: string, min: number, usual: number): number {
  const asked = query.get(name)
  if (!asked) return usual
  const value = Number(asked)
  if (Number.isInteger(value) && value >= min) return value
  throw invalid([{ field: name, message: `${name} is not valid.` }])
}

function linkTo(call: Call, world: World, offset: number, limit: number): string {
  const query = new URLSearchParams(call.query)
  query.set('offset', String(offset))
  query.set('limit', String(limit))
  return `${world.url}${call.path}?${query.toString()}`
}
