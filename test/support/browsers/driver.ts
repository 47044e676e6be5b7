import { type ChildProcess, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'

/** A page in a browser that Playwright cannot drive as it is installed. */
export interface Driver {
  goto(url: string): Promise<void>
  /** The JSON value of an expression in the page, or of the promise that it is. */
  evaluate(expression: string): Promise<unknown>
  /** Runs input sources of WebDriver, which are the same in both of its protocols. */
  perform(sources: readonly object[]): Promise<void>
  /** Chooses the file in the input with this id. */
  chooseFile(inputId: string, path: string): Promise<void>
  close(): Promise<void>
}

/** Of a command to the browser: a busy machine must not end what works. */
export const commandTimeoutMs = 60_000

/** The first of these programs that is installed. */
export function installed(...names: string[]): string | undefined {
  return names.find((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0)
}

/** Waits for the end of a process that was asked to end, and kills it if it takes too long. */
export async function ended(child: ChildProcess): Promise<void> {
  const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  clearTimeout(timer)
}

/** Rejects if the work takes too long. */
export async function withinTime<Result>(what: string, work: Promise<Result>): Promise<Result> {
  const controller = new AbortController()
  const late = sleep(commandTimeoutMs, undefined, controller).then(() => {
    throw new Error(`${what} took more than ${commandTimeoutMs / 1_000} s`)
  })
  late.catch(() => undefined)
  try {
    return await Promise.race([work, late])
  } finally {
    controller.abort()
  }
}
