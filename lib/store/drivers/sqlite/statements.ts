/** How SQLite writes the statements on the table of items, and the statements that only SQLite has. */
import { createStatements, listed, type Dialect } from '../../sql/statements'

/** The version of the table. A file with a later version is left alone. */
export const schemaVersion = 1

/** A moment is a number of milliseconds since 1970. The body is the last column, because the others are read without it. */
export const setUp = `
  create table if not exists eid_kept (
    seq integer primary key autoincrement,
    ns text not null, node text not null, kind text not null, key text not null,
    since real not null,
    version int not null default 1,
    seal text not null default '',
    bytes int generated always as (octet_length(about) + octet_length(body)) stored,
    subject text,
    handed int not null default 0,
    count int not null default 0,
    due real, expires real,
    owner text, leased real,
    woken int not null default 0,
    about text not null default '',
    body text not null default '',
    unique (ns, node, kind, key)
  );
  create index if not exists eid_kept_due on eid_kept (ns, node, kind, due) where due is not null;
  create index if not exists eid_kept_subject on eid_kept (ns, subject) where subject is not null;
  create index if not exists eid_kept_expires on eid_kept (expires) where expires is not null;
  create index if not exists eid_kept_owner on eid_kept (ns, node, kind) where owner is not null;
  create index if not exists eid_kept_list on eid_kept (ns, node, kind, seq) where ${listed};
  create index if not exists eid_kept_plain on eid_kept (ns, node, kind, seq) where due is null;
  pragma user_version = ${schemaVersion}`

const dialect: Dialect = {
  now: '$now',
  span: (milliseconds) => milliseconds,
  milliseconds: (parameter) => `$${parameter}`,
  inMs: (span) => `(${span})`,
  // The clock of the machine may have been set since the database was opened.
  date: (moment) => `${moment} + $set`,
  number: (value) => value,
  text: (parameter) => `$${parameter}`,
  // In one process no lease ends: that the process was busy for a minute is no reason to deliver twice.
  free: 'owner is null',
  isNoWork: 'due is null',
  skipLocked: '',
  lockRows: '',
  least: 'min',
  greatest: 'max',
  sampleSizes: { count: 1_000_000, usage: 2_000 },
  calls(columns) {
    const read = Object.keys(columns).map((name, at) => `value ->> ${at} as ${name}`)
    return `(select ${read.join(', ')} from json_each($rows)) as u`
  },
  deleteFound: (ofFound, ofTable) =>
    `delete from eid_kept where seq in (select seq from c where ${ofFound}) and ${ofTable}`,
}

export const statements = createStatements(dialect, {
  makeDue: `update eid_kept set due = min(due, $now), woken = owner is not null
    where ns = $1 and subject in (select value ->> 0 from json_each($rows)) and due is not null
    and (due > $now or owner is not null) returning node, kind`,
  sweep: `delete from eid_kept where seq in (select seq from eid_kept where expires < $now limit 5000)`,
})

/** When the next item of a node is due; null if the node has no work. */
export const nextDue = `select min(due) - $now as span from eid_kept
  where ns = $1 and node = $2 and kind = $3 and due is not null and owner is null`

/** Ends the claims of a node that was closed without returning them. */
export const release = `update eid_kept set owner = null, leased = null, woken = 0
  where ns = $1 and node = $2 and kind = $3 and owner is not null`

/** Ends the claims of a process that is gone. */
export const releaseAll = `update eid_kept set owner = null, leased = null, woken = 0 where owner is not null`

/** The last moment at which this file was in use, and what its clock shows then. */
export const noteClock = `insert into eid_kept (ns, node, kind, key, since, due, expires)
  values ('', '', 'schema', 'clock', $now, null, null)
  on conflict (ns, node, kind, key) do update set since = excluded.since`
export const readClock = `select since from eid_kept where ns = '' and node = '' and kind = 'schema' and key = 'clock'`
/** Moves all moments, after the clock of the machine was wrong. */
export const shift = `update eid_kept set since = since + $1, due = due + $1, expires = expires + $1`
