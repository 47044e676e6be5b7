import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Storage } from '../../src/inventory/storage.ts'
import { openStorage } from '../../src/storage/open.ts'
import { type Answer, startApp, type TestApp } from './app.ts'
import type { Engine } from './engines.ts'

// A shop in which 40 animals change together, in one transaction, again and again: from available in category 1 to sold
// in category 2 and back. A response that mixes two states has some of both, or a count that does not fit.

const flipped = 40
const sides = [
  { status: 'available', categoryId: 1n },
  { status: 'sold', categoryId: 2n },
] as const

interface Row {
  id: number
  name: string
  status: string
  categoryId: number
}

export interface FlippingShop extends TestApp {
  /** Flips until `work` has settled. */
  whileFlipping<Result>(work: () => Promise<Result>): Promise<Result>
}

/** Names of every size: short ones, and those that SQLite reads in steps. */
function nameOf(index: number, largest: number): string {
  return `Rex ${index} ${'é'.repeat(index % 2 === 0 ? 0 : largest)}`
}

/** `largest` is the length of the large names. */
export async function startFlippingShop(t: TestContext, engine: Engine, largest: number): Promise<FlippingShop> {
  // A search takes several parts.
  const searchBudget = { ms: 2_000, pets: 1_000_000, scannedFirst: 10 }
  const storage = await openStorage(await engine.url(t), { searchBudget, readTimeoutMs: 60_000 })
  t.after(() => storage.close())
  const app = await startApp(t, { storage, hasMcp: true })
  await storage.imports.add(
    Array.from({ length: flipped }, (_, index) => ({ name: nameOf(index, largest), ...sides[0] })),
  )
  for (const [id, name] of [
    [1n, 'cats here'],
    [2n, 'cats there'],
  ] as const)
    await storage.categories.put({ id, name })
  return { ...app, whileFlipping: (work) => whileFlipping(storage, work) }
}

async function whileFlipping<Result>({ pets }: Storage, work: () => Promise<Result>): Promise<Result> {
  const ids = Array.from({ length: flipped }, (_, index) => BigInt(index + 1))
  const done = new AbortController()
  async function flip(): Promise<void> {
    for (let turn = 1; !done.signal.aborted; turn++) {
      const { outcome } = await pets.changeMany({ filter: { ids }, change: sides[turn % 2] ?? sides[0] })
      assert.equal(outcome, 'done')
    }
  }
  const flipping = flip()
  try {
    return await work()
  } finally {
    done.abort()
    await flipping
  }
}

/** One kind of response, and what must hold for each. */
export interface StateRead {
  path: string
  /** Default: `GET`. */
  body?: unknown
  check(answer: Answer): void
}

function wholeFlip(rows: readonly Pick<Row, 'status' | 'categoryId'>[], counts: readonly number[]): void {
  assert.ok(counts.includes(rows.length), `${rows.length} animals`)
  const seen = new Set(rows.map(({ status, categoryId }) => `${status} in ${categoryId}`))
  assert.ok(seen.size <= 1, [...seen].join(' and '))
}

/** All animals, as one state has them, and their number. */
function checkList({ body, headers }: Answer, counts = [flipped]): void {
  const rows = body as Row[]
  wholeFlip(rows, counts)
  const total = headers.get('x-total-count')
  if (total !== null) assert.equal(Number(total), rows.length, `${total} counted, ${rows.length} listed`)
}

const none = [0, flipped]
const ids = Array.from({ length: flipped }, (_, index) => index + 1).join()

function list(query: string, counts = [flipped]): StateRead {
  return { path: `/v1/pets?limit=100${query}`, check: (answer) => checkList(answer, counts) }
}

/** A search has a bounded cost: a page with a link may be short, but is of one state. */
function search(query: string): StateRead {
  const { path, check } = list(query)
  return {
    path,
    check(answer) {
      if (answer.headers.get('link') === null) return check(answer)
      const rows = answer.body as Row[]
      wholeFlip(rows, [rows.length])
    },
  }
}

/** A page that is not the last: it and the count agree that there are more. */
function firstPage(query: string): StateRead {
  return {
    path: `/v1/pets?limit=10&${query}`,
    check({ body, headers }) {
      wholeFlip(body as Row[], [0, 10])
      const total = Number(headers.get('x-total-count'))
      const hasNext = headers.get('link') !== null
      assert.deepEqual([total, hasNext], (body as Row[]).length === 0 ? [0, false] : [flipped, true])
    },
  }
}

interface Inventory {
  total: number
  available: number
  sold: number
  categories: { id: number; total: number; available: number; sold: number }[]
}

function inventory(query: string): StateRead {
  return {
    path: `/v1/store/inventory${query}`,
    check({ body }) {
      const { total, available, sold, categories } = body as Inventory
      const of = (id: number) => categories.find((category) => category.id === id)
      assert.equal(total, flipped)
      assert.ok(
        available === flipped ? sold === 0 : available === 0 && sold === flipped,
        `${available} available, ${sold} sold`,
      )
      assert.deepEqual([of(1)?.total ?? 0, of(2)?.total ?? 0], [available, sold])
    },
  }
}

/** The newest events are those of whole changes. */
function newestEvents(query: string): StateRead {
  return {
    path: `/v1/events?sort=-id&limit=100${query}`,
    check({ body }) {
      const statuses = (body as { data: Row; type: string }[])
        .filter(({ type }) => type === 'petstore.pet.updated')
        .map(({ data }) => data.status)
      for (let at = 0; at + flipped <= statuses.length; at += flipped)
        assert.equal(new Set(statuses.slice(at, at + flipped)).size, 1, 'half of a change')
    },
  }
}

function exported(query: string, rowsOf: (text: string) => Pick<Row, 'status' | 'categoryId'>[], counts = [flipped]) {
  return { path: `/v1/pets/export?${query}`, check: ({ text }: Answer) => wholeFlip(rowsOf(text), counts) }
}

const ofNdjson = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
/** The status and the category, by its number and its name. */
const ofCsv = (text: string) =>
  text
    .split(/\r?\n/)
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => {
      const cells = line.split(',')
      return { status: cells.at(3) ?? '', categoryId: [cells.at(2), cells.at(4)].join() as unknown as number }
    })

function tool(name: string, given: object, check: (data: unknown) => void): StateRead {
  return {
    path: '/mcp',
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
    check({ text }) {
      const { result } = JSON.parse(text.replace(/^[^{]*/, '')) as { result: { structuredContent: { data: unknown } } }
      check(result.structuredContent.data)
    },
  }
}

/** Every list, filter, sort, count, inventory, page of events, export and tool that reads several animals. */
export const stateReads: Readonly<Record<string, StateRead>> = {
  'a list': list(''),
  'a list of a status': list('&status=available', none),
  'a list of a category': list('&categoryId=2', none),
  'a list of a status and a category': list('&categoryId=2&status=sold', none),
  'a list from the last': list('&sort=-id'),
  'a list by name': list('&sort=name'),
  'a list by name of a status': list('&sort=-name&status=sold', none),
  'a list of ids': list(`&ids=${ids}`),
  'a list of ids and a status': list(`&ids=${ids}&status=available`, none),
  'a list of ids by name': list(`&ids=${ids}&sort=name`),
  'one animal': list('&id=1', [1]),
  'one animal of a status': list('&id=1&status=sold', [0, 1]),
  'a search': list('&name=rex'),
  'a search in a status': list('&name=rex&status=available', none),
  'a search by name': search('&name=rex&sort=name'),
  'a search by name in a category': list('&name=rex&sort=name&categoryId=1', none),
  'a first page of a status': firstPage('status=available'),
  'a first page of a category by name': firstPage('categoryId=1&sort=name'),
  'an inventory': inventory(''),
  'an inventory by id': inventory('?sort=id'),
  'an inventory of categories by name': inventory('?name=cats'),
  'the newest events': newestEvents(''),
  'the newest events of a type': newestEvents('&type=petstore.pet.updated'),
  'an export': exported('format=ndjson', ofNdjson),
  'an export of a status': exported('format=ndjson&status=sold', ofNdjson, none),
  'an export with the names of categories': exported('format=csv&spreadsheet=true', ofCsv),
  'a tool that lists': tool('listPets', { limit: 100, sort: 'name' }, (data) => wholeFlip(data as Row[], [flipped])),
  'a tool that counts': tool('getInventory', { name: 'cats' }, (data) => inventory('').check({ body: data } as Answer)),
}

/** Reads each of them, `rounds` times, several at a time. */
export async function readAll(
  { send, sendJson }: FlippingShop,
  reads: Readonly<Record<string, StateRead>>,
  rounds: number,
): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await Promise.all(
      Object.entries(reads).map(async ([name, { path, body, check }]) => {
        const headers = { prefer: 'count=exact' }
        const answer =
          body === undefined ? await send(path, { headers }) : await sendJson(`POST ${path}`, body, forAgents)
        assert.equal(answer.status, 200, `${name}: ${answer.text}`)
        assert.doesNotThrow(() => check(answer), `${name}: ${explain(() => check(answer))}`)
      }),
    )
  }
}

const forAgents = { accept: 'application/json, text/event-stream' }

function explain(check: () => void): string {
  try {
    check()
    return ''
  } catch (error) {
    return (error as Error).message
  }
}
