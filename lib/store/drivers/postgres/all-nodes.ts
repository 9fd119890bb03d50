/** Lists what all nodes keep in a database that several Node-REDs share. */
import { itemName } from '../../item-name'
import type { Cipher } from '../../sql/cipher'
import type { Database } from '../../sql/database'
import { createRowCodec, type Row } from '../../sql/row-codec'
import type { Listed } from '../../store'
import { findKind, listKind as listPage } from './statements'

const pageSize = 1000

export type ListedOfNode = Listed & { readonly node: string }

/**
 * Lists the items of one kind for all nodes in all Node-REDs that share the database. The items are in the order in
 * which they were first stored. Items that can't be read are left out.
 */
export async function listKind(database: Database, cipher: Cipher, kind: string): Promise<ListedOfNode[]> {
  const found: ListedOfNode[] = []
  for (let after = 0; ;) {
    const rows = await database.run(listPage, [database.namespace, kind, cipher.id, after, pageSize])
    for (const row of rows) found.push(...readableOf(database, cipher, kind, row))
    if (rows.length < pageSize) return found
    after = Number(rows.at(-1)?.seq)
  }
}

/** The item with this id, whichever node stores it; undefined if the item does not exist or can't be read. */
export async function findOfKind(
  database: Database,
  cipher: Cipher,
  kind: string,
  id: string,
): Promise<ListedOfNode | undefined> {
  const rows = await database.run(findKind, [database.namespace, kind, cipher.id, itemName(id)])
  return rows.flatMap((row) => readableOf(database, cipher, kind, row))[0]
}

function readableOf(database: Database, cipher: Cipher, kind: string, row: Row): ListedOfNode[] {
  const node = String(row.node)
  try {
    return [{ ...createRowCodec(cipher, [database.namespace, node, kind], 1).listedOf(row), node }]
  } catch {
    // The node that stores the item reports that the item can't be read.
    return []
  }
}
