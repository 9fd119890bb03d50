/**
 * The statements on the table of items, for every database. A dialect fills in what the databases write differently.
 * Each statement is complete in itself: it needs no transaction around it.
 */

/** What the databases write differently. */
export interface Dialect {
  /** The present moment. */
  readonly now: string
  /** A number of milliseconds, as it can be added to a moment. Null stays null. */
  span(milliseconds: string): string
  /** The same for a parameter. */
  milliseconds(parameter: number): string
  /** The time between two moments, as a number of milliseconds. */
  inMs(span: string): string
  /** A moment as people read it, in milliseconds since 1970. */
  date(moment: string): string
  number(value: string): string
  text(parameter: number): string
  /** The condition that no one has a claim on a row. */
  readonly free: string
  /** The condition that an item is not work. */
  readonly isNoWork: string
  /** Locks the rows that a query finds, and skips rows that are locked. */
  readonly skipLocked: string
  /** Locks the rows of the table `t` that a query finds. */
  readonly lockRows: string
  readonly least: string
  readonly greatest: string
  /** How many rows are counted, and how many are measured. All other rows are estimated. */
  readonly sampleSizes: { readonly count: number; readonly usage: number }
  /** A table `u` of the values from parameter `$4` on: an array for each column, with the type of the column. */
  calls(columns: Readonly<Record<string, ColumnType>>): string
  /** Deletes the rows that the query `c` has found, if `c` and the table meet these conditions. */
  deleteFound(ofFound: string, ofTable: string): string
}

type ColumnType = 'text' | 'float8' | 'int'

/** The names of all columns of a new row, in the order in which `RowCodec.newRow` gives their values. */
const whole = 'ns, node, kind, key, version, seal, about, body, subject, due, expires, since'
const replace = `version = excluded.version, seal = excluded.seal, about = excluded.about, body = excluded.body,
  subject = excluded.subject, due = excluded.due, expires = excluded.expires, owner = null, leased = null, handed = 0,
  count = 0, woken = false`
const conflict = 'on conflict (ns, node, kind, key) do update set'
const mine = 'ns = $1 and node = $2 and kind = $3'

/**
 * The condition of the index in list order. Only list queries contain it. If the look-up of a key contained it,
 * PostgreSQL without statistics about a node would use this index, and read every row of the node.
 */
export const listed = 'seq > 0'

/**
 * Finds the rows `c` again, each by its whole primary key. No column is compared with a parameter. With a parameter,
 * PostgreSQL without statistics about a node would expect the node to have only one row, and would read all rows of the
 * node for each key.
 */
export const inC = `eid_kept.ns = c.ns and eid_kept.node = c.node and eid_kept.kind = c.kind and eid_kept.key = c.key`

/** What is read of a row. */
export function columnsOf({ now, inMs, date, number }: Dialect): string {
  return `eid_kept.key, ${number('eid_kept.seq')} as seq, ${date('eid_kept.since')} as since,
  ${inMs(`${now} - eid_kept.since`)} as age, eid_kept.version, eid_kept.about, eid_kept.handed, eid_kept.owner,
  ${date('eid_kept.due')} as due`
}

/** The condition that a row has not expired. */
export function liveIn({ now }: Dialect): string {
  return `(expires is null or expires > ${now})`
}

/**
 * Reads a node's first rows in the order of their names, from `prefix` up to `next`. These rows are a fair sample,
 * because the digits of a name are as good as random.
 */
const firstBy = (prefix: string, next: string, read: string, made: string, size: number) =>
  `select ${made}, ${size} as sample, max(key) as last
  from (select ${read} from eid_kept where ${mine} and key >= '${prefix}' and key < '${next}'
    order by key limit ${size}) s`
/** The query over both kinds of keys: random names, and names derived from an id. */
const ofBoth = (read: string, made: string, size: number) =>
  `${firstBy('e', 'f', read, made, size)} union all ${firstBy('w', 'x', read, made, size)}`

function itemStatements(dialect: Dialect) {
  const { now, sampleSizes } = dialect
  const columns = columnsOf(dialect)
  const live = liveIn(dialect)
  const after = (parameter: number) => `${now} + ${dialect.milliseconds(parameter)}`
  const values = `$1, $2, $3, $4, $5, $6, $7, $8, $9, ${after(10)}, ${after(11)}, ${now}`
  return {
    put: `insert into eid_kept (${whole}) values (${values}) ${conflict} ${replace}`,
    /** Adds a row, or replaces a row that has expired. Only the caller whose row was stored gets a result. */
    add: `insert into eid_kept (${whole}) values (${values}) ${conflict} ${replace}, since = excluded.since
      where eid_kept.expires <= ${now} returning 1`,
    get: `select ${columns}, body from eid_kept
      where ${mine} and key = $4 and version <= $5 and seal = $6 and ${live}`,
    exists: `select 1 from eid_kept where ${mine} and key = $4 and ${live}`,
    remove: `delete from eid_kept where ${mine} and key = $4 and ${live} returning 1`,
    increment: `insert into eid_kept (ns, node, kind, key, version, seal, about, count, expires, since)
      values ($1, $2, $3, $4, $5, $6, $7, 1, ${after(8)}, ${now})
      ${conflict} count = case when eid_kept.expires <= ${now} then 1 else eid_kept.count + 1 end,
      expires = case when eid_kept.expires <= ${now} then excluded.expires else eid_kept.expires end
      returning ${dialect.number('eid_kept.count')} as count`,
    list: `select ${columns} from eid_kept
      where ${mine} and version <= $4 and seal = $5 and ${live}
      and ${listed} and seq > $6 order by eid_kept.seq limit $7`,
    count: ofBoth('key', 'count(*) as size', sampleSizes.count),
    /** Reads everything of a node and kind, to move it to another node. */
    allOf: `select ${columns}, body from eid_kept
      where ${mine} and version <= $4 and seal = $5 and ${live} order by eid_kept.seq`,
    /**
     * Moves a row from the node `$4` to this node, unless this node has a row with this key. The texts are new, because
     * a text that is encrypted belongs to its node.
     */
    move: `update eid_kept set node = $2, about = $6, body = $7, owner = null, leased = null
      where ns = $1 and node = $4 and kind = $3 and key = $5
      and not exists (select 1 from eid_kept o where o.ns = $1 and o.node = $2 and o.kind = $3 and o.key = $5)`,
    clear: `delete from eid_kept where ${mine}`,
    usage: ofBoth(
      'key, bytes, due',
      `count(*) as size, coalesce(sum(bytes), 0) as bytes,
      count(*) filter (where due is not null) as work_size,
      coalesce(sum(bytes) filter (where due is not null), 0) as work_bytes`,
      sampleSizes.usage,
    ),
    /**
     * Drops the `$4` oldest items that are not work, and further ones until `$5` bytes are free, but at most a thousand
     * at a time. Returns the sizes of the dropped items.
     */
    makeRoom: `with f as (
        select ns, node, kind, key, seq, bytes from eid_kept
        where ${mine} and ${listed} and ${dialect.isNoWork} order by eid_kept.seq
        limit ${dialect.least}(${dialect.greatest}($4, 50), 1000)),
      c as materialized (
        select ns, node, kind, key, seq, row_number() over w as place,
          coalesce(sum(bytes) over (w rows between unbounded preceding and 1 preceding), 0) as before
        from f window w as (order by seq))
      ${dialect.deleteFound('(c.place <= $4 or c.before < $5)', 'eid_kept.due is null')} returning eid_kept.bytes`,
  }
}

function workStatements(dialect: Dialect) {
  const { now, free } = dialect
  const columns = columnsOf(dialect)
  const live = liveIn(dialect)
  const after = (parameter: number) => `${now} + ${dialect.milliseconds(parameter)}`
  /**
   * Finds the claims `c` that are still ours, by the given keys and owners. `more` are further columns of `c`. All
   * statements lock rows in the order of their keys, so that no two statements wait for each other.
   */
  const ours = (more: Readonly<Record<string, ColumnType>> = {}) => `with g as materialized (
      select ${dialect.text(1)} as ns, ${dialect.text(2)} as node, ${dialect.text(3)} as kind, u.*
      from ${dialect.calls(Object.assign({}, key, more))}),
    c as materialized (
      select g.*, t.seq from g join eid_kept t using (ns, node, kind, key) where t.owner = g.owner
      order by t.key ${dialect.lockRows})`
  const changes = ours({
    about: 'text',
    subject: 'text',
    keep: 'float8',
    version: 'int',
    body: 'text',
    pause: 'float8',
  })
  const change = `about = c.about, subject = c.subject, version = coalesce(c.version, eid_kept.version),
    expires = coalesce(${now} + ${dialect.span('c.keep')}, expires), owner = null, leased = null, woken = false`
  return {
    /**
     * Claims due work. Rows that another process is just claiming are skipped, so that the statement does not wait for
     * them.
     */
    claim: `with c as materialized (
        select ns, node, kind, key from eid_kept
        where ${mine} and due <= ${now} and ${free} and version <= $4 and seal = $5 and ${live}
        order by due limit $6 ${dialect.skipLocked})
      update eid_kept set owner = $7, leased = ${after(8)}, woken = false, handed = handed + $9
      from c where ${inC} returning ${columns}, eid_kept.body`,
    renew: `${ours()} update eid_kept set leased = ${after(6)}
      from c where ${inC} returning eid_kept.key, eid_kept.owner`,
    markDelivered: `${ours()} update eid_kept set handed = handed + 1, leased = ${after(6)}
      from c where ${inC} returning eid_kept.key`,
    reschedule: `${changes} update eid_kept set ${change}, body = coalesce(c.body, eid_kept.body),
      due = ${now} + case when woken then ${dialect.span('0')} else ${dialect.span('c.pause')} end
      from c where ${inC} returning eid_kept.key`,
    remain: `${changes} update eid_kept set ${change}, body = coalesce(c.body, ''), due = null
      from c where ${inC} returning eid_kept.key`,
    complete: `${ours()} ${dialect.deleteFound('true', 'true')} returning eid_kept.key`,
    returnClaims: `${ours()} update eid_kept set owner = null, leased = null, woken = false,
      due = ${dialect.least}(due, ${now}) from c where ${inC} returning eid_kept.key`,
    /** Postpones an unreadable item by an hour. */
    setAside: `update eid_kept set owner = null, leased = null, due = ${now} + ${dialect.span('3600000')}
      where ${mine} and key = $4 and owner = $5`,
  }
}

/** The columns by which a claim is found. */
const key = { key: 'text', owner: 'text' } as const

/** Statements that only their own database knows. */
interface OwnStatements {
  /** Makes the items of the namespace `$1` due that are about the subjects `$2`. Returns the nodes and kinds. */
  readonly makeDue: string
  /** Removes what has expired, some thousand rows at a time. */
  readonly sweep: string
}

export type Statements = ReturnType<typeof itemStatements> & ReturnType<typeof workStatements> & OwnStatements

export function createStatements(dialect: Dialect, own: OwnStatements): Statements {
  return Object.assign(itemStatements(dialect), workStatements(dialect), own)
}
