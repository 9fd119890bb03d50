/**
 * The PostgreSQL table and every statement on it. Each statement is a separate transaction, so that a pooler can be
 * used.
 */

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

/**
 * The index in list order, which a table of version 1 lacks. Only list queries contain the condition of this index. If
 * the look-up of a key contained the condition, a database without statistics about a node would use this index, and
 * read every row of the node.
 */
const listIndex = 'eid_kept_list on eid_kept (ns, node, kind, seq) where seq > 0'
const listed = 'seq > 0'

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

/** Milliseconds as an interval; null stays null. */
const span = (parameter: number) => `$${parameter}::float8 * interval '1 millisecond'`
const mine = 'ns = $1 and node = $2 and kind = $3'
const live = '(expires is null or expires > now())'
const free = '(leased is null or leased < now())'
const columns = `key, seq::float8 as seq, extract(epoch from since)::float8 * 1000 as since,
  extract(epoch from now() - since)::float8 * 1000 as age, version, about, handed, owner,
  extract(epoch from due)::float8 * 1000 as due`

const whole = `ns, node, kind, key, version, seal, about, body, subject, due, expires`
const values = `$1, $2, $3, $4, $5, $6, $7, $8, $9, now() + ${span(10)}, now() + ${span(11)}`
const replace = `version = excluded.version, seal = excluded.seal, about = excluded.about, body = excluded.body,
  subject = excluded.subject, due = excluded.due, expires = excluded.expires, owner = null, leased = null, handed = 0,
  count = 0, woken = false`
const conflict = 'on conflict (ns, node, kind, key) do update set'

export const put = `insert into eid_kept as t (${whole}) values (${values}) ${conflict} ${replace}`

/** Adds a row, or replaces a row that has expired. Only the caller whose row was stored gets a result. */
export const add = `insert into eid_kept as t (${whole}) values (${values}) ${conflict} ${replace}, since = now()
  where t.expires <= now() returning 1`

export const get = `select ${columns}, body from eid_kept
  where ${mine} and key = $4 and version <= $5 and seal = $6 and ${live}`

export const exists = `select 1 from eid_kept where ${mine} and key = $4 and ${live}`

export const remove = `delete from eid_kept where ${mine} and key = $4 and ${live} returning 1`

export const increment = `insert into eid_kept as t (ns, node, kind, key, version, seal, about, count, expires)
  values ($1, $2, $3, $4, $5, $6, $7, 1, now() + ${span(8)})
  ${conflict} count = case when t.expires <= now() then 1 else t.count + 1 end,
  expires = case when t.expires <= now() then excluded.expires else t.expires end
  returning count::float8 as count`

export const list = `select ${columns} from eid_kept
  where ${mine} and version <= $4 and seal = $5 and ${live}
  and ${listed} and seq > $6 order by eid_kept.seq limit $7`

/** Finds all nodes in the namespace, by skipping from each node to the next. For each node, finds the rows `p`. */
const ofAllNodes = (rows: string) => `with recursive n as (
    (select node from eid_kept where ns = $1 order by node limit 1)
    union all
    select (select k.node from eid_kept k where k.ns = $1 and k.node > n.node order by k.node limit 1)
    from n where n.node is not null)
  select n.node, p.* from n cross join lateral (
    select ${columns} from eid_kept
    where ns = $1 and eid_kept.node = n.node and kind = $2 and seal = $3 and ${live} ${rows}) p`

/** Reads a page of rows for each node, which is fast with the list index. Returns the first rows of all these pages. */
export const listKind = `${ofAllNodes(`and ${listed} and seq > $4 order by eid_kept.seq limit $5`)} order by p.seq limit $5`

export const findKind = ofAllNodes('and key = $4 limit 1')

/** How many rows are counted and measured. All other rows are estimated from the names of the counted rows. */
export const sampleSize = 2_000

/**
 * Reads a node's first rows in the order of their names, from `prefix` up to `next`. These rows are a fair sample,
 * because the digits of a name are as good as random.
 */
const firstBy = (prefix: string, next: string, read: string, made: string) => `select ${made}, max(key) as last
  from (select ${read} from eid_kept where ${mine} and key >= '${prefix}' and key < '${next}'
    order by key limit ${sampleSize}) s`
/** The query over both kinds of keys: random names, and names derived from an id. */
const ofBoth = (read: string, made: string) =>
  `${firstBy('e', 'f', read, made)} union all ${firstBy('w', 'x', read, made)}`

export const count = ofBoth('key', 'count(*)::int as size')

/** Reads everything of a node and kind, to move it to another node. */
export const allOf = `select ${columns}, body from eid_kept
  where ${mine} and version <= $4 and seal = $5 and ${live} order by eid_kept.seq`

/**
 * Moves a row from the node `$4` to this node, unless this node has a row with this key. The texts are new, because a
 * text that is encrypted belongs to its node.
 */
export const move = `with f as (
    delete from eid_kept t where ns = $1 and node = $4 and kind = $3 and key = $5
    and not exists (select 1 from eid_kept o where o.ns = $1 and o.node = $2 and o.kind = $3 and o.key = $5)
    returning t.*)
  insert into eid_kept (ns, node, kind, key, since, version, seal, about, body, subject, handed, count, due, expires)
  select ns, $2, kind, key, since, version, seal, $6, $7, subject, handed, count, due, expires from f`

export const clear = `delete from eid_kept where ${mine}`

/**
 * Finds the rows `c` again, each by its whole primary key. No column is compared with a parameter. With a parameter, a
 * database without statistics about a node would expect the node to have only one row, and would read all rows of the
 * node for each key.
 */
const inC = 't.ns = c.ns and t.node = c.node and t.kind = c.kind and t.key = c.key'

/**
 * Claims due work. Rows that another process is just claiming are skipped, so that the statement does not wait for
 * them.
 */
export const claim = `with c as materialized (
    select ns, node, kind, key from eid_kept
    where ${mine} and due <= now() and ${free} and version <= $4 and seal = $5 and ${live}
    order by due limit $6 for update skip locked)
  update eid_kept t set owner = $7, leased = now() + ${span(8)}, woken = false, handed = handed + $9
  from c where ${inC} returning ${columns.replace('key', 't.key')}, body`

/**
 * Finds the claims `c` that are still ours, by the given keys and owners. `more` names further columns of `c`; their
 * values come from `arrays`. All statements lock rows in the order of their keys, so that no two statements wait for
 * each other.
 */
const ours = (more = '', arrays = '') => `with g as materialized (
    select $1::text as ns, $2::text as node, $3::text as kind, *
    from unnest($4::text[], $5::text[]${arrays}) as u (key, owner${more})),
  c as materialized (
    select g.* from g join eid_kept t using (ns, node, kind, key) where t.owner = g.owner
    order by t.key for update of t)`

export const renew = `${ours()} update eid_kept t set leased = now() + ${span(6)}
  from c where ${inC} returning t.key, t.owner`

export const markDelivered = `${ours()} update eid_kept t set handed = handed + 1, leased = now() + ${span(6)}
  from c where ${inC} returning t.key`

const changes = ours(
  ', about, subject, keep, version, body, pause',
  ', $6::text[], $7::text[], $8::float8[], $9::int[], $10::text[], $11::float8[]',
)
const change = `about = c.about, subject = c.subject, version = coalesce(c.version, t.version),
  expires = coalesce(now() + c.keep * interval '1 millisecond', expires), owner = null, leased = null, woken = false`

export const reschedule = `${changes} update eid_kept t set ${change}, body = coalesce(c.body, t.body),
  due = now() + case when woken then interval '0' else c.pause * interval '1 millisecond' end
  from c where ${inC} returning t.key`

export const remain = `${changes} update eid_kept t set ${change}, body = coalesce(c.body, ''), due = null
  from c where ${inC} returning t.key`

export const complete = `${ours()} delete from eid_kept t using c where ${inC} returning t.key`

export const returnClaims = `${ours()} update eid_kept t set owner = null, leased = null, woken = false,
  due = least(due, now()) from c where ${inC} returning t.key`

/** Postpones an unreadable item by an hour. */
export const setAside = `update eid_kept set owner = null, leased = null, due = now() + interval '1 hour'
  where ${mine} and key = $4 and owner = $5`

/** Makes items due. First looks up each subject separately, then locks all found rows, in the order of their keys. */
export const makeDue = `with c as materialized (
    select f.* from unnest($2::text[]) as s (subject) cross join lateral (
      select ns, node, kind, key from eid_kept t where t.ns = $1 and t.subject = s.subject
      and t.due is not null and (t.due > now() or not ${free}) offset 0) f),
  l as materialized (
    select c.* from c join eid_kept t using (ns, node, kind, key) order by node, kind, key for update of t)
  update eid_kept t set due = least(due, now()), woken = not ${free}
  from l as c where ${inC} returning t.node, t.kind`

/** Finds out which of the waiting nodes have work. */
export const ready = `select p.node, p.kind from unnest($2::text[], $3::text[]) as p (node, kind)
  cross join lateral (
    select 1 from eid_kept t where t.ns = $1 and t.node = p.node and t.kind = p.kind
    and t.due <= now() and ${free} and ${live} order by t.due limit 1) w`

export const usage = ofBoth(
  'key, bytes, due',
  `count(*)::int as size, coalesce(sum(bytes), 0)::float8 as bytes,
  (count(*) filter (where due is not null))::int as work_size,
  coalesce(sum(bytes) filter (where due is not null), 0)::float8 as work_bytes`,
)

/**
 * The condition that an item is not work. It is an expression for which the database has no statistics. With
 * statistics, the database might expect no matching rows, and would then read all rows instead of only the oldest.
 */
const isNoWork = `coalesce(due, '-infinity') = '-infinity'`

/**
 * Drops the `$4` oldest items that are not work, and further ones until `$5` bytes are free, but at most a thousand at
 * a time. Returns the number and the size of the dropped items.
 */
export const makeRoom = `with f as (
    select ns, node, kind, key, seq, bytes from eid_kept where ${mine} and ${listed} and ${isNoWork} order by eid_kept.seq
    limit least(greatest($4, 50), 1000)),
  c as materialized (
    select ns, node, kind, key, row_number() over w as place,
      coalesce(sum(bytes) over (w rows between unbounded preceding and 1 preceding), 0) as before
    from f window w as (order by seq)),
  d as (
    delete from eid_kept t using c where ${inC} and t.due is null and (c.place <= $4 or c.before < $5)
    returning t.bytes)
  select count(*)::int as size, coalesce(sum(bytes), 0)::float8 as bytes from d`

export const sweep = `delete from eid_kept where ctid = any(array(
  select ctid from eid_kept where expires < now() limit 5000 for update skip locked))`

/** Statements that a lease holder must run before the lease expires. */
const leaseHolders = new Set([renew, markDelivered, reschedule, remain, complete, returnClaims])
/**
 * Statements that store incoming items. They run before queries for work: an incoming item that is not stored yet would
 * be lost if the process were killed.
 */
const forStoring = new Set([put, add, usage, makeRoom, exists])

/** The number of priority levels; the lowest level runs first. */
export const priorities = 3

export function priorityOf(statement: string): number {
  return leaseHolders.has(statement) ? 0 : forStoring.has(statement) ? 1 : 2
}
