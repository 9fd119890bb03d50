/** Starts a PostgreSQL and reports where its data is; ends when it is killed. */
import { Client } from 'pg'
import { startPostgres } from '../support/servers/postgres-server'

async function main(): Promise<void> {
  const { url } = await startPostgres()
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ data_directory: string }>('show data_directory')
  await client.end()
  process.send?.(rows[0]?.data_directory)
  setInterval(() => undefined, 1_000)
}

void main()
