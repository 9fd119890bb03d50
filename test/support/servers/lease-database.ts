/** A PostgreSQL with the invented leases of the example "yearly renewals". */
import { Client } from 'pg'
import { startPostgres } from './postgres-server'

export interface LeaseDatabase {
  query(sql: string): Promise<readonly Record<string, unknown>[]>
  /** Returns the flow of the example with the address of this database in place of the address in the example. */
  at<Flow>(flow: Flow): Flow
  stop(): Promise<void>
}

/** The address of the database in the example. */
const exampleDatabase = 'postgres://postgres@127.0.0.1:5432/postgres'

export async function startLeaseDatabase(): Promise<LeaseDatabase> {
  const server = await startPostgres()
  const client = new Client({ connectionString: server.url })
  await client.connect()
  const query = async (sql: string) => (await client.query<Record<string, unknown>>(sql)).rows
  // A server from `EID_TEST_POSTGRES` may still have the table from an earlier run.
  await query('drop table if exists example_leases')
  return {
    query,
    at: <Flow>(flow: Flow) => JSON.parse(JSON.stringify(flow).replaceAll(exampleDatabase, server.url)) as Flow,
    async stop() {
      await client.end()
      await server.stop()
    },
  }
}
