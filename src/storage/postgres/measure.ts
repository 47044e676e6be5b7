import type { StorageSize } from '../../inventory/storage-stats.ts'
import type { Statement } from './connection/statement.ts'
import type { Readers } from './reads/readers.ts'

const server: Statement = {
  name: 'server_size',
  text: `
    SELECT pg_database_size(current_database()), current_setting('max_connections')::int8,
        count(*) FILTER (WHERE backend_type = 'client backend'), count(*) FILTER (WHERE wait_event_type = 'Lock'),
        has_function_privilege('pg_ls_waldir()', 'EXECUTE')
      FROM pg_stat_activity`,
}
type ServerRow = [databaseBytes: bigint, max: bigint, used: bigint, waiting: bigint, maySeeLog: boolean]
const log: Statement = { name: 'wal_size', text: 'SELECT sum(size)::int8 FROM pg_ls_waldir()' }

/** The disk is the server's own. The size of its log is for members of pg_monitor only. */
export async function measure({ read }: Readers): Promise<StorageSize> {
  const [databaseBytes, max, used, waiting, maySeeLog] = (await read(server)).rows[0] as ServerRow
  const serverSessions = { used: Number(used), waiting: Number(waiting), max: Number(max) }
  const size = { databaseBytes: Number(databaseBytes), serverSessions }
  if (!maySeeLog) return size
  const [walBytes] = (await read(log)).rows[0] as [bigint]
  return { ...size, walBytes: Number(walBytes) }
}
