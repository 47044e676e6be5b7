import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ours } from '../columns.ts'
import type { Column } from '../dialect.ts'
import { fillHostile, hostileNames } from '../hostile-shop.ts'
import type { Bench } from '../measure.ts'
import { goal, type Section, short } from '../report.ts'
import { makeShop, type Server, startServer } from '../servers.ts'
import type { Question } from './question.ts'

const title = 'longest step of the event loop, hostile rows'
const maxStepMs = 20
const idle = 'nothing: the idle loop'

/** How long can one client's content keep everybody else waiting? */
export const loopSteps: Question = { name: 'steps', title, startsServers: true, answer }

interface Step {
  wallMs: number
  cpuMs: number
}

async function answer({ options, columns, shop: { folder }, say }: Bench): Promise<Section> {
  const steps = new Map<string, Step>()
  if (columns.includes(ours)) {
    const place = join(folder, 'steps')
    mkdirSync(join(place, ours.name), { recursive: true })
    const shop = makeShop(place, 100)
    await fillHostile(join(place, ours.name, 'pets.db'), shop.key)
    const probe = join(place, 'steps.ndjson')
    const server = await startServer(probed(probe), shop, options.cores.server)
    const call = callerOf(server, shop.key)
    // Not counted: a round in which V8 compiles.
    for (let round = 0; round <= options.rounds; round++) {
      for (const [name, run] of Object.entries(operations)) {
        say(`round ${round}: ${name}`)
        await longestStep(server, probe)
        await run(call)
        if (round > 0) steps.set(name, least(steps.get(name), await longestStep(server, probe)))
      }
    }
    await server.stop()
  }
  const measured = [...steps].filter(([name]) => name !== idle)
  return {
    name: 'steps',
    title,
    meaning:
      'Ours alone. 400 animals with names of 64 KB (control characters, combining marks, ligatures, short words), with ' +
      'categories, keys and orders of that kind. A step is what other requests wait for: the longest of a round, and the ' +
      `least of ${options.rounds} rounds, because other programs only add to it. CPU is that of the step's own thread; the ` +
      'rest of its time the machine did something else, as the idle loop shows.',
    head: ['operation', 'CPU ms', 'ms', 'at most 20'],
    lines: [...steps].map(([name, { cpuMs, wallMs }]) => [
      name,
      short(cpuMs),
      short(wallMs),
      cpuMs <= maxStepMs ? 'yes' : '**no**',
    ]),
    notes: [],
    goals: measured.map(([name, { cpuMs }]) =>
      goal(`longest step of the event loop, ${name}: at most 20 ms`, `${short(cpuMs)} ms`, cpuMs <= maxStepMs),
    ),
  }
}

function probed(file: string): Column {
  const preload = ['--import', fileURLToPath(new URL('../loop-probe.ts', import.meta.url))]
  return {
    ...ours,
    command(ground) {
      const command = ours.command(ground)
      return { ...command, args: [...preload, ...command.args], env: { ...command.env, LOOP_PROBE: file } }
    },
  }
}

/** Since the last call. */
async function longestStep({ pid }: Server, file: string): Promise<Step> {
  const linesOf = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [])
  const { length } = linesOf()
  process.kill(pid, 'SIGWINCH')
  for (;;) {
    const line = linesOf()[length]
    if (line !== undefined) return JSON.parse(line) as Step
    await sleep(5)
  }
}

function least(one: Step | undefined, other: Step): Step {
  if (one === undefined) return other
  return { cpuMs: Math.min(one.cpuMs, other.cpuMs), wallMs: Math.min(one.wallMs, other.wallMs) }
}

type Send = (path: string, init?: RequestInit & { maxBytes?: number }) => Promise<void>
type Call = Send & { port: number }

/** Reads the response to its end, or up to `maxBytes` of a stream. */
function callerOf({ port }: Server, key: string): Call {
  const send: Send = async (path, { maxBytes = Infinity, headers, ...init } = {}) => {
    const signal = AbortSignal.timeout(60_000)
    const authorization = `Bearer ${key}`
    const url = `http://127.0.0.1:${port}/v1${path}`
    const response = await fetch(url, { ...init, signal, headers: { authorization, ...(headers as object) } })
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`)
    let bytes = 0
    for await (const part of response.body ?? []) {
      bytes += (part as Uint8Array).length
      if (bytes >= maxBytes) break
    }
  }
  return Object.assign(send, { port })
}

/** Opens connections that send these bytes together, and waits until the service has closed all of them. */
function connecting(count: number, bytes: string): (call: Call) => Promise<void> {
  return async ({ port }) => {
    const sockets = Array.from({ length: count }, () =>
      connect(port, '127.0.0.1')
        .on('error', () => undefined)
        .resume(),
    )
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    const closed = sockets.map((socket) => once(socket, 'close'))
    for (const socket of sockets) socket.write(bytes)
    await Promise.all(closed)
  }
}

const csvHeader = 'name,categoryId\n'
const quoted = `${csvHeader}"${'""'.repeat(500_000)}",1\n`

function importing(type: string, body: string): (call: Call) => Promise<void> {
  return (call) => call('/pets/import', { method: 'POST', headers: { 'content-type': type }, body })
}

function getting(...paths: string[]): (call: Call) => Promise<void> {
  return async (call) => {
    for (const path of paths) await call(path)
  }
}

const kinds = Object.keys(hostileNames).map((_, kind) => kind + 1)
/** A page of control characters has 14 MB then: below the limit for unsent bytes of all clients together. */
const limit = 40
const ligature = encodeURIComponent('\ufdfa')

const numbers = JSON.stringify({ name: 'Rex', categoryId: 1000, x: Array(16_000).fill(1) }).replaceAll('1,', '1.0,')

const operations: Record<string, (call: Call) => Promise<unknown>> = {
  [idle]: () => sleep(500),
  'list pets': getting(...kinds.map((kind) => `/pets?limit=${limit}&categoryId=${kind}`)),
  'list pets, sort=name': getting(`/pets?limit=${limit}&sort=name`),
  'search pets': getting(`/pets?limit=${limit}&name=b`, `/pets?limit=${limit}&name=${ligature}`),
  'search pets, sort=name': getting(`/pets?limit=${limit}&sort=name&name=${ligature}`),
  'export, CSV': getting('/pets/export?format=csv'),
  'export, NDJSON': getting('/pets/export?format=ndjson'),
  'list events': getting(
    `/events?limit=${limit}`,
    `/events?limit=${limit}&sort=-id`,
    `/events?limit=${limit}&type=petstore.order.cancelled`,
  ),
  'stream events': (call) =>
    call('/events', { headers: { accept: 'text/event-stream', 'last-event-id': '0' }, maxBytes: 30e6 }),
  'create a pet with 16,000 numbers': (call) =>
    call('/pets', { method: 'POST', headers: { 'content-type': 'application/json' }, body: numbers }),
  '1,000 connections that expire together': connecting(1_000, 'GET / HTTP/1.1\r\n'),
  '500 connections that are refused together': connecting(500, 'What is this?\r\n\r\n'),
  '3,000 requests in one moment': connecting(3_000, 'GET /v1/pets HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
  '3,000 connections that are refused together': connecting(3_000, 'What is this?\r\n\r\n'),
  'list keys': getting('/keys'),
  'list categories': getting(`/categories?limit=${limit}`, `/categories?limit=${limit}&name=${ligature}`),
  'list orders': getting(
    `/store/orders?limit=${limit}`,
    `/store/orders?limit=${limit}&customer=${ligature}`,
    `/store/orders?limit=${limit}&petName=${ligature}`,
  ),
  'import, NDJSON: rows of one letter': importing('application/x-ndjson', 'a\n'.repeat(50_000)),
  'import, CSV: rows of one letter': importing('text/csv', csvHeader + 'a\n'.repeat(50_000)),
  'import, CSV: a quoted record of 1 MB': importing('text/csv', quoted),
  'import, CSV: names of ligatures': importing('text/csv', csvHeader + `${hostileNames.ligatures},3\n`.repeat(20)),
}
