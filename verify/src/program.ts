import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { type Level, levels } from './shop/check.ts'
import { allChecks } from './checks/all.ts'
import { htmlOf } from './report/html.ts'
import { junitOf } from './report/junit.ts'
import { endText, resultText } from './report/text.ts'
import { exitCodeOf, type Report, run, type RunOptions } from './run.ts'

/** What a user can fix. The message is one sentence. */
class Failure extends Error {
  override readonly name = 'Failure'
}

/** The options of the command line, as texts: see options.ts. */
export interface ProgramOptions {
  url: string
  key: string
  level: string
  only?: string
  seed?: string
  rate: string
  timeout: string
  readOnly?: boolean
  requireAll?: boolean
  bail?: boolean
  category?: string
  json?: boolean
  junit?: string
  html?: string
  yes?: boolean
}

/** How long an animal that was added may take to be seen. */
const settleMs = 2000
/** More than 100 animals with the longest names that our service takes. */
const maxBodyBytes = 8 * 1024 * 1024
/** The exit codes that shells give to a program that such a signal ended. */
const interrupted = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
type Interruption = keyof typeof interrupted
const signals = Object.keys(interrupted) as Interruption[]

/** Judges a shop. `name` is what the program is called in a message. The exit code is 0 if no rule is broken, 1 if one is, 2 if the run could not be made. */
export async function verify(options: ProgramOptions, name: string): Promise<void> {
  try {
    const runOptions = readOptions(options)
    await askBeforeProduction(options)
    process.exitCode = await runAndReport(runOptions, options)
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    process.stderr.write(`${name}: ${error.message}\n`)
    process.exitCode = 2
  }
}

async function runAndReport(options: RunOptions, { json = false, junit, html }: ProgramOptions): Promise<number> {
  const interruption = new AbortController()
  const interrupt = interrupter(interruption)
  for (const signal of signals) process.on(signal, interrupt)
  let report: Report
  try {
    report = await run({
      ...options,
      signal: interruption.signal,
      ...(!json && { progress: (result) => void process.stdout.write(resultText(result)) }),
    })
  } finally {
    for (const signal of signals) process.off(signal, interrupt)
  }
  process.stdout.write(json ? `${JSON.stringify(report, null, 2)}\n` : endText(report))
  if (junit !== undefined) await save('--junit', junit, junitOf(report))
  if (html !== undefined) await save('--html', html, htmlOf(report))
  return interruption.signal.aborted ? interrupted[interruption.signal.reason as Interruption] : exitCodeOf(report)
}

/** The first signal ends the checks, so that what was added is removed. A later one ends the process. */
function interrupter(interruption: AbortController): (signal: Interruption) => void {
  let firstAt: number | undefined
  return (signal) => {
    firstAt ??= performance.now()
    interruption.abort(signal)
    // A key press reaches this process twice: by the terminal and by the launcher.
    if (performance.now() - firstAt > 1000) process.exit(interrupted[signal])
  }
}

async function save(option: string, file: string, text: string): Promise<void> {
  await writeFile(file, text).catch((error: NodeJS.ErrnoException) => {
    throw new Failure(`${option}: ${file} cannot be written (${error.code}).`)
  })
}

function readOptions(options: ProgramOptions): RunOptions {
  const { url, key, level, only, seed, rate, timeout, category, readOnly = false } = options
  if (!(levels as readonly string[]).includes(level))
    throw new Failure(`--level must be contract, recommended or full, got "${level}".`)
  if (only !== undefined && !allChecks.some(({ id }) => id === only))
    throw new Failure(`--only must be the number of a check, such as ${allChecks[0]?.id}, got "${only}".`)
  return {
    url: readUrl(url),
    key: readKey(key),
    level: level as Level,
    ...(only !== undefined && { only }),
    ...(seed !== undefined && { seed: readNumber('--seed', seed, 0, 2 ** 32 - 1) }),
    requestsPerSecond: readNumber('--rate', rate, 1, 100_000),
    ...(category !== undefined && { category: readInt64('--category', category) }),
    timeoutMs: 1000 * readNumber('--timeout', timeout, 1, 600),
    readOnly,
    requireAll: options.requireAll ?? false,
    bail: options.bail ?? false,
    settleMs,
    maxBodyBytes,
    clock: Date.now,
  }
}

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isAddress = url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === ''
  if (!isAddress) throw new Failure(`--url must be a base address such as http://127.0.0.1:8080/v1, got "${text}".`)
  if (url.username !== '' || url.password !== '') throw new Failure('--url must not contain a user or a password.')
  // An empty query or fragment leaves its mark in the address.
  url.search = ''
  url.hash = ''
  return url
}

function readKey(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw new Failure('--key must be printable ASCII characters without white space.')
}

function readNumber(option: string, text: string, min: number, max: number): number {
  const number = Number(text)
  if (/^\d{1,10}$/.test(text) && number >= min && number <= max) return number
  throw new Failure(`${option} must be an integer from ${min} to ${max}, got "${text}".`)
}

function readInt64(option: string, text: string): bigint {
  if (/^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)) return BigInt(text)
  throw new Failure(`${option} must be an integer of 64 bits, got "${text}".`)
}

/** A key of production may belong to a shop that people use. */
async function askBeforeProduction({ url, key, yes = false, readOnly = false }: ProgramOptions): Promise<void> {
  if (yes || !key.startsWith('pet_live_')) return
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new Failure('this is a key of production: add --yes to run against it.')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const work = readOnly ? 'sends requests to' : 'adds animals to'
  const answer = await terminal.question(`This is a key of production. The run ${work} ${url}. Go on? (y/N) `)
  terminal.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('nothing was sent.')
}
