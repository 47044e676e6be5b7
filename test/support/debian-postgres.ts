import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { temporaryFolder } from './engines.ts'
import { freePort } from './ports.ts'

const root = '/usr/lib/postgresql'
const [newest] = existsSync(root) ? readdirSync(root).toSorted((a, b) => Number(b) - Number(a)) : []
const bin = join(root, newest ?? '', 'bin')

/** Why tests with PostgreSQL's own tools are skipped; false if they are not. The PostgreSQL from npm has no pg_dump. */
export const skip =
  newest === undefined || !existsSync(join(bin, 'initdb'))
    ? 'NOT TESTED: PostgreSQL is not installed here; install the Debian package postgresql'
    : (false as const)

/** PostgreSQL refuses to run as root. */
const nobody = 65534
const identity = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}

interface DebianOptions {
  settings?: Record<string, string>
}

/** A server of Debian's PostgreSQL, with its tools. */
export async function startDebianPostgres(t: TestContext, { settings: more = {} }: DebianOptions = {}) {
  const folder = temporaryFolder(t)
  const [data, backups] = [join(folder, 'data'), join(folder, 'backups')]
  mkdirSync(backups)
  if (identity.uid !== undefined) for (const each of [folder, backups]) chownSync(each, nobody, nobody)
  run('initdb', '-D', data, '-U', 'postgres', '--no-sync', '-E', 'UTF8', '--locale=C')
  const port = await freePort()
  let child: ChildProcess
  await start()
  t.after(() => child.kill('SIGQUIT'))

  /** Runs one of the tools to its end. */
  function run(program: string, ...args: string[]): void {
    const { status, stderr } = spawnSync(join(bin, program), args, { ...identity, cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${program} failed: ${stderr}`)
  }

  async function start(): Promise<void> {
    const own = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off', ...more }
    const settings = Object.entries(own).map(([name, value]) => `${name}=${value}`)
    child = spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], {
      ...identity,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let log = ''
    while (!log.includes('ready to accept connections')) {
      const [text] = await once(child.stderr as NodeJS.ReadableStream, 'data')
      log += String(text)
    }
    child.stderr?.resume()
  }

  return {
    backups,
    /** Where its tools are. */
    bin,
    port,
    run,
    urlOf: (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    /** Destroys the data of the server and starts it on a base backup instead. */
    async replaceData(backup: string): Promise<void> {
      child.kill('SIGQUIT')
      await once(child, 'exit')
      rmSync(data, { recursive: true })
      renameSync(backup, data)
      await start()
    },
  }
}
