/** How PostgreSQL writes the statements on the table of items, and the statements that only PostgreSQL has. */
import { columnsOf, createStatements, inC, listed, liveIn, type Dialect } from '../../sql/statements'

/**
 * The version of the table, raised when the table changes. Changes must be such that the previous version still works
 * with the table, because both versions run during a deploy.
 */
export const schemaVersion = 2

/**
 * Sets the isolation level for which the statements are written, in case the database or the user has another default
 * level. Has no effect if the default is already this level.
 */
export const readCommitted = `select set_config('default_transaction_isolation', 'read committed', false)
  where current_setting('default_transaction_isolation') <> 'read committed'`

/** The number of the lock for setting up the table; other programs are unlikely to use the same number. */
export const setupLock = 7_364_110_529

export const isSetUp = `select count::int as version from eid_kept where ns = '' and node = '' and kind = 'schema' and key = 'version'`
export const tableExists = `select to_regclass('eid_kept') is not null as there`

/** The index in list order, which a table of version 1 lacks. Only list queries contain the condition of this index. */
const listIndex = `eid_kept_list on eid_kept (ns, node, kind, seq) where ${listed}`

export const noteVersion = `insert into eid_kept (ns, node, kind, key, count)
  values ('', '', 'schema', 'version', ${schemaVersion})
  on conflict (ns, node, kind, key) do update set count = greatest(eid_kept.count, excluded.count)`

/**
 * A column keeps its name for ever. `seal` is the id of the cipher, and `handed` is how often the item was delivered.
 * `owner` and `leased` describe the claim, and `woken` is true if the item was made due while it was claimed.
 */
export const setUp = [
  `create table if not exists eid_kept (
    ns text not null, node text not null, kind text not null, key text not null,
    seq bigint generated always as identity,
    since timestamptz not null default now(),
    version int not null default 1,
    seal text not null default '',
    about text not null default '',
    body text not null default '',
    bytes bigint generated always as (octet_length(about) + octet_length(body)) stored,
    subject text,
    handed int not null default 0,
    count bigint not null default 0,
    due timestamptz, expires timestamptz,
    owner text, leased timestamptz,
    woken boolean not null default false,
    primary key (ns, node, kind, key)
  ) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500)`,
  `create index if not exists eid_kept_due on eid_kept (ns, node, kind, due) where due is not null`,
  `create index if not exists eid_kept_subject on eid_kept (ns, subject) where subject is not null`,
  `create index if not exists eid_kept_expires on eid_kept (expires) where expires is not null`,
  `create index if not exists ${listIndex}`,
  noteVersion,
]

/**
 * Begins the upgrade of a table that version 1 created. The table is in use during the upgrade, and the steps of the
 * upgrade are not in a transaction. One process does the upgrade; if it dies, the next process that starts after ten
 * minutes takes over.
 */
export const beginUpgrade = `insert into eid_kept as t (ns, node, kind, key, expires)
  values ('', '', 'schema', 'upgrade', now() + interval '10 minutes')
  on conflict (ns, node, kind, key) do update set expires = excluded.expires where t.expires <= now() returning 1`
/** Finds an index whose creation was interrupted: no query uses it, but it blocks the creation of a valid index. */
export const isListIndexTorn = `select 1 from pg_index where indexrelid = to_regclass('eid_kept_list') and not indisvalid`
export const dropListIndex = 'drop index concurrently if exists eid_kept_list'
export const createListIndex = `create index concurrently if not exists ${listIndex}`
export const endUpgrade = `delete from eid_kept where ns = '' and node = '' and kind = 'schema' and key = 'upgrade'`

const free = '(leased is null or leased < now())'
const sampleSize = 2_000

const dialect: Dialect = {
  now: 'now()',
  span: (milliseconds) => `${milliseconds} * interval '1 millisecond'`,
  milliseconds: (parameter) => `$${parameter}::float8 * interval '1 millisecond'`,
  inMs: (span) => `extract(epoch from ${span})::float8 * 1000`,
  date: (moment) => `extract(epoch from ${moment})::float8 * 1000`,
  number: (value) => `${value}::float8`,
  text: (parameter) => `$${parameter}::text`,
  free,
  // It is an expression for which the database has no statistics. With statistics, the database might expect no
  // matching rows, and would then read all rows instead of only the oldest.
  isNoWork: `coalesce(due, '-infinity') = '-infinity'`,
  skipLocked: 'for update skip locked',
  lockRows: 'for update of t',
  least: 'least',
  greatest: 'greatest',
  sampleSizes: { count: sampleSize, usage: sampleSize },
  calls(columns) {
    const arrays = Object.values(columns).map((type, at) => `$${at + 4}::${type}[]`)
    return `unnest(${arrays.join(', ')}) as u (${Object.keys(columns).join(', ')})`
  },
  deleteFound: (ofFound, ofTable) => `delete from eid_kept using c where ${inC} and ${ofFound} and ${ofTable}`,
}

export const statements = createStatements(dialect, {
  // First looks up each subject separately, then locks all found rows, in the order of their keys. A row that has an
  // owner is woken even if its lease is over, because the owner may still be alive and reschedule it.
  makeDue: `with c as materialized (
    select f.* from unnest($2::text[]) as s (subject) cross join lateral (
      select ns, node, kind, key from eid_kept t where t.ns = $1 and t.subject = s.subject
      and t.due is not null and (t.due > now() or t.owner is not null) offset 0) f),
  l as materialized (
    select c.* from c join eid_kept t using (ns, node, kind, key) order by node, kind, key for update of t)
  update eid_kept set due = least(due, now()), woken = owner is not null
  from l as c where ${inC} returning eid_kept.node, eid_kept.kind`,
  sweep: `delete from eid_kept where ctid = any(array(
  select ctid from eid_kept where expires < now() limit 5000 for update skip locked))`,
})

/** Finds all nodes in the namespace, by skipping from each node to the next. For each node, finds the rows `p`. */
const ofAllNodes = (rows: string) => `with recursive n as (
    (select node from eid_kept where ns = $1 order by node limit 1)
    union all
    select (select k.node from eid_kept k where k.ns = $1 and k.node > n.node order by k.node limit 1)
    from n where n.node is not null)
  select n.node, p.* from n cross join lateral (
    select ${columnsOf(dialect)} from eid_kept
    where ns = $1 and eid_kept.node = n.node and kind = $2 and seal = $3 and ${liveIn(dialect)} ${rows}) p`

/** Reads a page of rows for each node, which is fast with the list index. Returns the first rows of all these pages. */
export const listKind = `${ofAllNodes(`and ${listed} and seq > $4 order by eid_kept.seq limit $5`)} order by p.seq limit $5`

export const findKind = ofAllNodes('and key = $4 limit 1')

/** Finds out which of the waiting nodes have work. */
export const ready = `select p.node, p.kind from unnest($2::text[], $3::text[]) as p (node, kind)
  cross join lateral (
    select 1 from eid_kept t where t.ns = $1 and t.node = p.node and t.kind = p.kind
    and t.due <= now() and ${free} and ${liveIn(dialect)} order by t.due limit 1) w`

/** Statements that a lease holder must run before the lease expires. */
const leaseHolders = new Set(
  (['renew', 'markDelivered', 'reschedule', 'remain', 'complete', 'returnClaims'] as const).map(
    (one) => statements[one],
  ),
)
/**
 * Statements that store incoming items. They run before queries for work: an incoming item that is not stored yet would
 * be lost if the process were killed.
 */
const forStoring = new Set((['put', 'add', 'usage', 'makeRoom', 'exists'] as const).map((one) => statements[one]))

/** The number of priority levels; the lowest level runs first. */
export const priorities = 3

export function priorityOf(statement: string): number {
  return leaseHolders.has(statement) ? 0 : forStoring.has(statement) ? 1 : 2
}
