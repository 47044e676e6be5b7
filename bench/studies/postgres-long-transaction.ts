import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { openStorage } from '../../src/storage/open.ts'
import { startPostgres } from '../../test/support/postgres-server.ts'
import { count, short, table } from '../report.ts'

// While a transaction is open anywhere in the database, PostgreSQL keeps every version that a row has had since it began.
// Each commit leaves one of each counter. Do commits cost more and more, and how much? Creates one after the other, each
// a group of its own. CPU of the server's processes, from /proc: Linux only.

const commitsInStep = 4_000
const steps = 6
const ticksPerSecond = 100

const server = await startPostgres()
const storage = await openStorage(server.url)
const other = new Client({ connectionString: server.url })
await other.connect()
const { rows } = await other.query("SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'")
const pids = (rows as { pid: number }[]).map(({ pid }) => pid)

function cpuMs(): number {
  const ticks = pids.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return Number(fields[11]) + Number(fields[12])
  })
  return (ticks.reduce((sum, each) => sum + each, 0) * 1_000) / ticksPerSecond
}

async function cpuOfCommit(): Promise<number> {
  const before = cpuMs()
  for (let nth = 0; nth < commitsInStep; nth++) {
    await storage.pets.create({ name: 'Rex', categoryId: 1n, status: 'available' })
  }
  return (cpuMs() - before) / commitsInStep
}

await cpuOfCommit()
const lines = [['0', short(await cpuOfCommit())]]
await other.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1')
for (let step = 1; step <= steps; step++) lines.push([count(step * commitsInStep), short(await cpuOfCommit())])
console.log(table(['commits since a transaction began', "server's CPU of a commit, ms"], lines).join('\n'))

await other.end()
await storage.close()
await server.stop()
