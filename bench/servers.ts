import type { ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { newKeySecret } from '../src/inventory/key-secret.ts'
import type { Column, Ground } from './dialect.ts'
import { animal, page } from './data.ts'
import { type Loader, loaderIn } from './loader.ts'
import { memoryOf, startOn, stop } from './processes.ts'

/** A column that runs. */
export interface Server {
  column: Column
  port: number
  /** `http://127.0.0.1:8080` */
  origin: string
  pid: number
  /** From the start of the program to its first right answer, in milliseconds. */
  startUp: number
  /** Bytes, before the first load. */
  idleMemory: number
  /** How many animals are in its database; undefined where there is none. */
  stored: (() => number | Promise<number>) | undefined
  /** What it is asked by in the load's place, where it asks itself. */
  loader: Loader | undefined
  stop(): Promise<void>
}

/** Data and answers for one size of shop, on disk. */
export interface Shop {
  animals: number
  /** The middle of the data, where the deep page is. */
  middle: number
  key: string
  folder: string
  bytes: string
}

const startTimeoutMs = 60_000

/** Writes the answers that are ready to be sent. The columns' own data is made when they are first started. */
export function makeShop(folder: string, animals: number): Shop {
  const bytes = join(folder, 'bytes')
  mkdirSync(bytes, { recursive: true })
  const middle = Math.floor(animals / 2)
  const pages = {
    list: page(0),
    status: page(0, 'available'),
    page: page(middle),
    hundred: page(middle, undefined, 100),
  }
  const answers = { ...pages, one: animal(middle) }
  for (const [name, answer] of Object.entries(answers)) {
    writeFileSync(join(bytes, `${name}.json`), JSON.stringify(answer))
  }
  return { animals, middle, key: newKeySecret('production'), folder, bytes }
}

export async function fillColumn({ fill, name }: Column, shop: Shop): Promise<void> {
  mkdirSync(join(shop.folder, name), { recursive: true })
  await fill?.(join(shop.folder, name), shop.animals, shop.key)
}

export interface ServerOptions {
  folderOf?: string
  /**
   * Where Node keeps compiled code from one start to the next, if that is not the usual place: a new folder makes a
   * first start.
   */
  compiled?: string
  /** Before all other programs of the machine. */
  isUrgent?: boolean
}

/** Starts a column on a core and waits for its first right answer. */
export async function startServer(
  column: Column,
  shop: Shop,
  core: number,
  { folderOf = column.name, compiled, isUrgent = false }: ServerOptions = {},
): Promise<Server> {
  const ground: Ground = {
    folder: join(shop.folder, folderOf),
    bytes: shop.bytes,
    port: await freePort(),
    key: shop.key,
  }
  const logPath = join(shop.folder, `${column.name}.log`)
  const log = openSync(logPath, 'a')
  const command = column.command(ground)
  const begin = performance.now()
  const env = { ...command.env, ...(compiled !== undefined && { NODE_COMPILE_CACHE: compiled }) }
  const { isItsOwnLoad = false, stored } = column
  const place = { temporary: shop.folder, output: log, ipc: isItsOwnLoad, isUrgent }
  const child = startOn(core, { ...command, env }, place)
  const origin = `${column.isSecure ? 'https' : 'http'}://127.0.0.1:${ground.port}`
  closeSync(log)
  try {
    await firstAnswer(child, `${origin}${column.dialect.list}`, shop.key)
  } catch (error) {
    await stop(child)
    const log = readFileSync(logPath, 'utf8').slice(-2_000)
    throw new Error(`${column.name}: ${(error as Error).message}\n${log}`, { cause: error })
  }
  const startUp = performance.now() - begin
  const pid = child.pid as number
  return {
    column,
    port: ground.port,
    origin,
    pid,
    startUp,
    idleMemory: memoryOf(pid),
    stored: stored && (() => stored(ground.folder)),
    loader: isItsOwnLoad ? loaderIn(child) : undefined,
    stop: () => stop(child),
  }
}

async function firstAnswer(child: ChildProcess, url: string, key: string): Promise<void> {
  const deadline = Date.now() + startTimeoutMs
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('it ended at its start')
    const status = await ask(url, key)
    if (status === 200) return
    if (status !== undefined) throw new Error(`${url} was answered with ${status}`)
    await sleep(3)
  }
  throw new Error(`no answer within ${startTimeoutMs / 1000} s`)
}

async function ask(url: string, key: string): Promise<number | undefined> {
  try {
    const answer = await fetch(url, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(10_000),
    })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return undefined // Not listening yet.
  }
}

// A port that was free a moment ago: some of the columns cannot be told to pick one themselves. Below the range from
// which the kernel gives ports to others that ask for any, who might take it in that moment.
async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(20_000, 32_000)
    if (await isFree(port)) return port
  }
  throw new Error('No free port found.')
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
