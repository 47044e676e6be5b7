import { checker } from '../contract/checker.ts'
import type { Exchange, Route } from '../http/exchange.ts'
import { emptyReply, jsonReply } from '../http/replies/json.ts'
import { streamText } from '../http/replies/stream-text.ts'
import { parseObject } from '../http/request/json-object.ts'
import { operationRoute } from '../http/route.ts'
import { piecesOf } from '../http/transfer/body-pieces.ts'
import { PetStoreError } from '../inventory/errors.ts'
import type { ShopClock } from './clock.ts'
import { boundedImage, type Images, seedImage } from './images.ts'
import { linesOf } from './lines.ts'
import { type FaultRule, type FaultRules, readRules } from './fault-rules.ts'
import { listBugs, putBugs } from './bug-operations.ts'
import type { Bug } from './bugs/bug.ts'
import { namesOf, readBugs, type ShopBugs } from './bugs/shop-bugs.ts'
import { getClock, putClock } from './clock-operations.ts'
import { deleteFaults, listFaults, putFaults } from './fault-operations.ts'
import { getSnapshot, maxFileBytes, putSnapshot, resetShop, SeedChoice } from './file-operations.ts'
import { encodeEntries, type Journal } from './journal.ts'
import { deleteRequests, listRequests } from './journal-operations.ts'
import { type SavedShop, snapshotLines } from './snapshot-lines.ts'
import { snapshotReader } from './snapshot-reader.ts'

export interface SandboxRoutesOptions {
  images: Images
  /** The shop as it is now, with everything that was acknowledged. */
  save(): Promise<SavedShop>
  replace(shop: SavedShop): void
  clock: ShopClock
  faults: FaultRules
  journal: Journal
  bugs(): ShopBugs
  /** Throws if they are hidden. */
  changeBugs(bugs: readonly Bug[]): void
  /** Does what is due at the time of the shop. */
  maintain(): Promise<void>
  /** Counts a request with a file, which is in memory until its response was sent. Throws if there are too many. */
  beginFile(exchange: Exchange): void
  failed: (error: Error, requestId: string) => void
}

const checkReset = checker(SeedChoice, 'json')

/** The operations of a shop that only a sandbox has. */
export function sandboxRoutes({
  images,
  save,
  replace,
  clock,
  faults,
  journal,
  maintain,
  ...options
}: SandboxRoutesOptions): Route[] {
  const { beginFile, failed } = options

  /** The image of the seed that a request names or sends. */
  async function chosenImage(exchange: Exchange): Promise<Uint8Array> {
    const { 'content-type': type = '' } = exchange.request.headers
    if (type.toLowerCase().includes('ndjson')) return seedImage(fileOf(exchange))
    if (!exchange.request.hasBody || exchange.request.headers['content-length'] === '0') return images.first
    const bytes: Buffer[] = []
    for await (const piece of bodyOf(exchange, 1024 * 1024)) bytes.push(piece)
    const body = checkReset(parseObject(Buffer.concat(bytes)) as Record<string, unknown>)
    if ('faults' in body) throw new PetStoreError('invalid_body', body.faults, body)
    return images[body.value.seed ?? 'first']
  }

  function fileOf(exchange: Exchange): AsyncGenerator<Buffer> {
    beginFile(exchange)
    return bodyOf(exchange, maxFileBytes)
  }

  async function snapshotOf(exchange: Exchange): Promise<SavedShop> {
    const snapshot = snapshotReader()
    for await (const line of linesOf(fileOf(exchange))) snapshot.read(line)
    const { clock: time, ...contents } = snapshot.end()
    return { image: await boundedImage(contents), clock: time }
  }

  /** Replaces the shop when the whole body was read and is valid, and not before. */
  async function replaceBy(exchange: Exchange, reading: Promise<SavedShop>) {
    try {
      replace(await reading)
      return emptyReply
    } catch (error) {
      exchange.leaveBody()
      throw error
    }
  }

  async function seedOf(exchange: Exchange): Promise<SavedShop> {
    return { image: await chosenImage(exchange), clock: undefined }
  }

  const file = { streamsBody: true, maxBodyBytes: maxFileBytes } as const
  return [
    operationRoute(resetShop, (_input, exchange) => replaceBy(exchange, seedOf(exchange)), file),

    operationRoute(getSnapshot, async (_input, exchange) => {
      const headers = { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' }
      if (exchange.request.method === 'HEAD') return { status: 200, headers }
      beginFile(exchange)
      const body = await streamText(snapshotLines(await save()), (error) => failed(error as Error, exchange.request.id))
      return { status: 200, headers, body }
    }),

    operationRoute(putSnapshot, (_input, exchange) => replaceBy(exchange, snapshotOf(exchange)), file),

    operationRoute(getClock, () => jsonReply(JSON.stringify(clock.state()))),

    operationRoute(putClock, async ({ body }) => {
      clock.change(body)
      await maintain()
      return jsonReply(JSON.stringify(clock.state()))
    }),

    operationRoute(listFaults, () => jsonReply(JSON.stringify(faults.list()))),

    putFaultsRoute(faults),

    operationRoute(deleteFaults, () => {
      faults.set([])
      return emptyReply
    }),

    operationRoute(listBugs, () => jsonReply(namesOf(options.bugs()))),

    putBugsRoute(options),

    operationRoute(listRequests, async ({ query }) => jsonReply(await encodeEntries(journal.list(query)))),

    operationRoute(deleteRequests, () => {
      journal.clear()
      return emptyReply
    }),
  ]
}

/** Its body is an array, whose numbers may have fractions. */
function putFaultsRoute(faults: FaultRules): Route {
  const { body: _body, ...operation } = putFaults
  const route = operationRoute(operation, (_input, { findings }) => {
    faults.set(findings.body as FaultRule[])
    return jsonReply(JSON.stringify(faults.list()))
  })
  return { ...route, operation: putFaults, checkBody: readRules }
}

/** Its body is an array. */
function putBugsRoute({ bugs, changeBugs }: Pick<SandboxRoutesOptions, 'bugs' | 'changeBugs'>): Route {
  const { body: _body, ...operation } = putBugs
  const route = operationRoute(operation, (_input, { findings }) => {
    changeBugs(findings.body as readonly Bug[])
    return jsonReply(namesOf(bugs()))
  })
  return { ...route, operation: putBugs, checkBody: readBugs }
}

/** Faster than an import: only a few of these files are read at once, for all shops. */
const fileProgress = { minProgressBytes: 64 * 1024, stallTimeoutMs: 10_000, totalTimeoutMs: 60_000 }
const neverStopping = new AbortController().signal

function bodyOf(exchange: Exchange, maxBytes: number): AsyncGenerator<Buffer> {
  return piecesOf(exchange.request, exchange.response.allowSlowBody(), {
    ...fileProgress,
    maxBytes,
    stopping: neverStopping,
  })
}
