import { readFile } from 'node:fs/promises'
import { styleText } from 'node:util'
import { renewBundle } from '../http/pages/console-bundle.ts'
import type { Observer } from '../http/replies/observe.ts'
import { PetStoreError } from '../inventory/errors.ts'
import { buildSandbox } from '../sandbox/app.ts'
import type { Bug } from '../sandbox/bugs/bug.ts'
import { bugNames, findBug } from '../sandbox/bugs/catalogue.ts'
import { maxMysterySeed, mysteryOf } from '../sandbox/bugs/mystery.ts'
import type { ShopBugs } from '../sandbox/bugs/shop-bugs.ts'
import { type Images, makeImages } from '../sandbox/images.ts'
import { firstShop, keyOfShop } from '../sandbox/shop-key.ts'
import { addressOf, explainListening } from './serving/listening.ts'
import { onlyOnce, stopOnSignal, stopWithChannel, stopWithParent } from './serving/signals.ts'
import { readDuration } from './shared/setting.ts'
import { Failure } from './shared/failure.ts'
import { version } from './shared/version.ts'

export interface SandboxVerbOptions {
  host: string
  port: string
  json?: boolean
  seed: string
  ttl?: string
  bug?: string[]
  mystery?: string
  reveal?: string
}

/** The longest time of a timer. */
const maxTtlMs = 2 ** 31 - 1

/** Runs the sandbox until a stop signal, or for `ttl`. It reads no settings and opens no database. */
export async function sandbox(options: SandboxVerbOptions): Promise<void> {
  if (options.reveal !== undefined) return reveal(readMysterySeed('--reveal', options.reveal))
  const { host, port, json = false, seed, ttl } = options
  const portNumber = readPort(port)
  // Node would listen on all addresses.
  if (host === '') throw new Failure('--host must be an address of this machine, got "".')
  const ttlMs = ttl === undefined ? undefined : readTtl(ttl)
  const bugs = readBugs(options)
  const app = buildSandbox({ images: await readSeed(seed), bugs, observer })
  try {
    await app.listen({ host, port: portNumber })
  } catch (error) {
    throw explainListening(error as NodeJS.ErrnoException, { host, port: portNumber, settings: 'options' })
  }
  const stop = onlyOnce(() => void app.drain().then(() => process.exit(0)))
  stopOnSignal(stop)
  if (process.env['npm_lifecycle_event'] !== undefined) stopWithParent(stop)
  stopWithChannel(stop)
  if (ttlMs !== undefined) setTimeout(stop, ttlMs).unref()

  const address = addressOf(app.server, host)
  const facts = { url: `${address}/v1`, key: keyOfShop(firstShop), console: `${address}/#sign-in=${firstShop}` }
  process.stdout.write(json ? `${JSON.stringify({ ...facts, pid: process.pid })}\n` : welcome(facts, host, ttl))
  // The console can wait for the API.
  const notice = await renewBundle()
  if (notice !== undefined) process.stderr.write(`petstore: ${notice.sentence}\n`)
}

/** Requests are in no log. Faults of the program are. */
const observer: Observer = {
  answered: () => undefined,
  refused: () => undefined,
  streamOpened: () => undefined,
  streamEnded: () => undefined,
  unavailable: () => undefined,
  failed: (error) => void process.stderr.write(`petstore: ${error.stack ?? error.message}\n`),
}

function readPort(text: string): number {
  const port = Number(text)
  if (/^[0-9]{1,5}$/.test(text) && port < 65_536) return port
  throw new Failure(`--port must be a number from 0 to 65535, got "${text}".`)
}

function readBugs({ bug = [], mystery }: SandboxVerbOptions): ShopBugs {
  if (mystery === undefined) return { bugs: bug.map(readBug), isHidden: false }
  if (bug.length > 0) throw new Failure('--bug and --mystery cannot be given together.')
  return { bugs: mysteryOf(readMysterySeed('--mystery', mystery)), isHidden: true }
}

function readMysterySeed(option: string, text: string): number {
  if (/^[0-9]{1,6}$/.test(text)) return Number(text)
  throw new Failure(`${option} must be a number from 0 to ${maxMysterySeed}, got "${text}".`)
}

/** Names the bugs of a mystery. */
function reveal(seed: number): void {
  const lines = mysteryOf(seed).map(({ name, wrong, found }) => `${name}\n  ${wrong}\n  ${found}\n`)
  process.stdout.write(lines.join(''))
}

function readBug(name: string): Bug {
  const bug = findBug(name)
  if (bug !== undefined) return bug
  throw new Failure(`--bug must be a name of docs/bugs.md, such as ${bugNames[0]}, got "${name}".`)
}

function readTtl(text: string): number {
  const ttlMs = readDuration(text)
  if (ttlMs !== undefined && ttlMs > 0 && ttlMs <= maxTtlMs) return ttlMs
  throw new Failure(`--ttl must be a time up to 24 days, such as 45s, 10m or 2h, got "${text}".`)
}

async function readSeed(seed: string): Promise<Images> {
  if (seed === 'empty' || seed === 'demo') return makeImages(seed)
  const file = await readFile(seed).catch((error: NodeJS.ErrnoException) => {
    throw new Failure(`--seed must be empty, demo, or a file that can be read: ${seed} cannot (${error.code}).`)
  })
  return makeImages({ file }).catch((error: unknown) => {
    throw error instanceof PetStoreError ? new Failure(`${seed}: ${error.message}`) : error
  })
}

function welcome(facts: { url: string; key: string; console: string }, host: string, ttl: string | undefined): string {
  const row = (name: string, value: string) => `  ${styleText('dim', name.padEnd(11))}${value}`
  const isPublic = host !== 'localhost' && host !== '::1' && !host.startsWith('127.')
  return `${[
    '',
    `  ${styleText('bold', `Pet Store ${version} sandbox`)}`,
    `  ${styleText(['bold', 'yellow'], 'KEEPS NOTHING: everything is in memory, and gone when this process ends.')}`,
    ...(isPublic
      ? [`  ${styleText('yellow', 'Everyone who reaches this address can use and change every shop.')}`]
      : []),
    ...(ttl === undefined ? [] : [`  It ends by itself after ${ttl}.`]),
    '',
    row('API', facts.url),
    row('Key', `${facts.key}, or sandbox_ and any name: each name is a shop of its own`),
    row('Console', facts.console),
    '',
    `  curl -H 'Authorization: Bearer ${facts.key}' ${facts.url}/pets`,
    '',
  ].join('\n')}\n`
}
