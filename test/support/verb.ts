import { Writable } from 'node:stream'
import type { TestContext } from 'node:test'
import { main } from '../../src/cli/main.ts'
import { temporaryFolder } from './engines.ts'
import type { CommandOptions, Ran } from './command.ts'

/** Ends a verb as `process.exit` would. */
class Exit extends Error {}

let earlier: Promise<unknown> = Promise.resolve()

/**
 * Runs a verb of the command line in this process, one at a time: settings, folder and output are those of the process.
 */
export function runVerb(t: TestContext, args: readonly string[], options: CommandOptions = {}): Promise<Ran> {
  const ran = earlier.then(() => runNow(t, args, options))
  earlier = ran.catch(() => undefined)
  return ran
}

async function runNow(
  t: TestContext,
  args: readonly string[],
  { env = {}, cwd = temporaryFolder(t) }: CommandOptions,
): Promise<Ran> {
  const { argv, env: environment, stdout, stderr, exit, exitCode } = process
  const folder = process.cwd()
  const output = { stdout: '', stderr: '' }
  let code: number | undefined

  function capture(name: keyof typeof output): Writable {
    return new Writable({
      decodeStrings: false,
      write(text: string | Buffer, _encoding, written) {
        if (code === undefined) output[name] += String(text)
        written()
      },
    })
  }
  function end(status: number | undefined): never {
    code ??= status ?? currentExitCode()
    throw new Exit()
  }

  replace({
    argv: [process.execPath, 'petstore', ...args],
    env: { PATH: environment['PATH'] ?? '', HOME: cwd, ...env },
    stdout: capture('stdout'),
    stderr: capture('stderr'),
    exit: end,
  })
  const removeSignalListeners = rememberSignalListeners()
  process.exitCode = undefined
  process.chdir(cwd)
  try {
    await main()
    return { code: code ?? currentExitCode(), ...output }
  } catch (error) {
    if (!(error instanceof Exit) || code === undefined) throw error
    return { code, ...output }
  } finally {
    removeSignalListeners()
    process.chdir(folder)
    replace({ argv, env: environment, stdout, stderr, exit })
    process.exitCode = exitCode
  }
}

/** Returns a function that removes those that were added since: a verb that ends its process need not. */
function rememberSignalListeners(): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const before = signals.map((signal) => new Set<unknown>(process.listeners(signal)))
  return () => {
    for (const [index, signal] of signals.entries()) {
      const added = process.listeners(signal).filter((listener) => before[index]?.has(listener) === false)
      for (const listener of added) process.off(signal, listener)
    }
  }
}

function currentExitCode(): number {
  return Number(process.exitCode ?? 0)
}

function replace(parts: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(parts)) {
    Object.defineProperty(process, name, { value, configurable: true, enumerable: true, writable: true })
  }
}
