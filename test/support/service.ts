import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openForWriting } from '../../src/storage/sqlite/connection/database.ts'
import { migrate } from '../../src/storage/sqlite/schema/migrate.ts'
import { temporaryFolder } from './engines.ts'
import type { CommandOptions, Ran } from './command.ts'
import type { User } from './ordinary-user.ts'
import { runVerb } from './verb.ts'

export type { CommandOptions, Ran }

export const main = fileURLToPath(new URL('../../src/cli/start.js', import.meta.url))

/**
 * Runs a command to its end, with only the given settings: in this process, which takes a fifth of the time, unless it
 * serves, reads standard input, needs options of Node, or is another program.
 */
export function run(t: TestContext, args: readonly string[], options: CommandOptions = {}): Promise<Ran> {
  const { input, program, user, env = {} } = options
  const needsProcess =
    args[0] === 'serve' ||
    input !== undefined ||
    program !== undefined ||
    user !== undefined ||
    env['NODE_OPTIONS'] !== undefined
  return needsProcess ? runProcess(t, args, options) : runVerb(t, args, options)
}

/** Runs a command to its end as a process of its own. */
export async function runProcess(t: TestContext, args: readonly string[], options: CommandOptions = {}): Promise<Ran> {
  const { closed, output } = startCommand(t, args, options)
  const [code] = await closed
  return { code, ...output }
}

/** Runs a command until it or the test ends. */
export function startCommand(
  t: TestContext,
  args: readonly string[],
  { env = {}, cwd = temporaryFolder(t), input, holdsInput = false, program, user }: CommandOptions = {},
) {
  const started = start(args, { env, cwd, program, user })
  if (!holdsInput) started.child.stdin.end(input)
  t.after(() => started.child.kill('SIGKILL'))
  return started
}

export interface Service {
  /** The origin, such as http://127.0.0.1:34567. */
  origin: string
  /** The key that the first start printed; empty on a later start. */
  key: string
  cwd: string
  child: ChildProcess
  output: { stdout: string; stderr: string }
  /** Sends a signal and resolves to the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts the real service as a process on a free port and waits for its welcome. Killed when the test ends. */
export async function startService(
  t: TestContext,
  {
    env = {},
    args = [],
    cwd = temporaryFolder(t),
    program,
  }: { env?: Record<string, string>; args?: string[]; cwd?: string; program?: string } = {},
): Promise<Service> {
  const { child, closed, output } = start(['serve', ...args], { env: { PETSTORE_PORT: '0', ...env }, cwd, program })
  child.stdin.end()
  t.after(() => child.kill('SIGKILL'))
  const welcomed = (async () => {
    while (!/Reference +http/.test(output.stdout)) await once(child.stdout as NodeJS.ReadableStream, 'data')
  })()
  await Promise.race([
    welcomed,
    closed.then(() => {
      throw new Error(`The service did not start: ${output.stderr}`)
    }),
  ])
  return {
    origin: /API +(https?:\S+)\/v1/.exec(output.stdout)?.[1] ?? '',
    key: /pet_(?:live|test)_\w+/.exec(output.stdout)?.[0] ?? '',
    cwd,
    child,
    output,
    async stop(signal = 'SIGTERM') {
      child.kill(signal)
      const [code] = await closed
      return code
    },
  }
}

interface StartOptions {
  env: Record<string, string>
  cwd: string
  program: string | undefined
  user?: User | undefined
}

function start(args: readonly string[], { env, cwd, program = main, user }: StartOptions) {
  // Settings, coverage and test flags of this machine must not leak in.
  const child = spawn(process.execPath, [program, ...args], {
    ...user,
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, TMPDIR: process.env['TMPDIR'] ?? '/tmp', ...env },
    stdio: 'pipe',
  })
  // A command may end before it has read all input.
  child.stdin.on('error', () => undefined)
  // From the start: a command may end before anybody waits for its end.
  const closed = once(child, 'close') as Promise<[code: number | null]>
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text))
  return { child, closed, output }
}

/** A folder with an empty shop: most commands refuse a missing database. By default the one that needs no settings. */
export function folderWithDatabase(t: TestContext, name = 'data/petstore.db'): string {
  const cwd = temporaryFolder(t)
  const db = openForWriting(join(cwd, name))
  migrate(db, name)
  db.close()
  return cwd
}

export function databaseIn(folder: string): string {
  return `sqlite:${join(folder, 'petstore.db')}`
}
