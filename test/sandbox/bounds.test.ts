import assert from 'node:assert/strict'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { importPets } from '../../src/contract/operations/transfer.ts'
import type { Exchange } from '../../src/http/exchange.ts'
import { endpointLoader } from '../../src/http/mcp.ts'
import { emptyReply } from '../../src/http/replies/json.ts'
import { operationRoute } from '../../src/http/route.ts'
import { piecesOf } from '../../src/http/transfer/body-pieces.ts'
import { versionedCache } from '../../src/http/cache/versioned-cache.ts'
import type { Observer } from '../../src/http/replies/observe.ts'
import { openContents } from '../../src/sandbox/contents.ts'
import type { FaultName } from '../../src/sandbox/fault-rules.ts'
import { faultsOf } from '../../src/sandbox/faults.ts'
import { makeImages } from '../../src/sandbox/images.ts'
import { type MeasuredSize, openInMemory } from '../../src/storage/sqlite/open-in-memory.ts'
import { makeExchange, makeResponse } from '../support/exchange.ts'
import { startSandbox } from '../support/sandbox.ts'
import { until } from '../support/until.ts'

test('a shop that was emptied still counts with the memory of its free pages', async () => {
  const sizes: MeasuredSize[] = []
  const storage = openInMemory({ clock: Date.now, refuseSize: (size) => void sizes.push(size) })
  for (let count = 0; count < 50; count++) await storage.pets.create({ name: 'x'.repeat(5_000), categoryId: 1n })
  const full = sizes.at(-1) as MeasuredSize

  const later = Date.now() + 60_000
  while ((await storage.events.forget(later, later)) > 0);
  const emptied = sizes.at(-1) as MeasuredSize
  await storage.close()

  assert.ok(emptied.bytes < full.bytes, JSON.stringify({ full, emptied }))
  assert.ok(emptied.allocatedBytes >= full.allocatedBytes, JSON.stringify({ full, emptied }))
})

test('a reset during the maintenance of a shop is no failure', async () => {
  const contents = openContents({
    storage: openInMemory({ image: (await makeImages('demo')).first, clock: Date.now }),
    clock: Date.now,
    observer: {} as Observer,
    cache: versionedCache(() => Number.NaN),
    ownKey: undefined,
    loadMcp: endpointLoader(),
    routes: [],
  })

  const maintained = contents.maintain()
  contents.end('reset')

  await maintained
})

test('a file that keeps its pace but takes too long altogether is refused', { timeout: 60_000 }, async () => {
  const body = new Readable({ read: () => undefined })
  const { request } = makeExchange({ incoming: body as IncomingMessage })
  const sending = setInterval(() => body.push('x'), 1)
  const limits = { maxBytes: 1e9, minProgressBytes: 1, stallTimeoutMs: 60_000, totalTimeoutMs: 50 }
  const { signal } = new AbortController()

  await assert.rejects(
    Array.fromAsync(piecesOf(request, signal, { ...limits, stopping: signal })),
    /too slowly: .*, and the end within 0\.05 s\.$/,
  )
  clearInterval(sending)
})

test('an import that a reset ends says so', async (t) => {
  const { origin, send } = await startSandbox(t)
  const file = new Readable({ read: () => undefined })
  file.push('name,categoryId\n')
  const init = {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox_a', 'content-type': 'text/csv' },
    body: Readable.toWeb(file),
    duplex: 'half',
  } as const
  const importing = fetch(`${origin}/v1/pets/import`, init)
  await until(async () => (await send('a', '/sandbox/requests')).text.includes('importPets'))

  assert.equal((await send('a', 'POST /sandbox/reset')).status, 204)
  const response = await importing
  file.push(null)

  assert.equal(response.status, 503)
  assert.match(
    ((await response.json()) as { message: string }).message,
    /^The shop was reset\. No animals were added\./,
  )
})

const ignore = () => undefined

/** A request that has the fault. */
function disturb(name: FaultName): Exchange {
  const { gate } = faultsOf({ next: () => ({ name, seconds: 0 }) }, { answered: ignore, disturbed: ignore })
  const incoming = new IncomingMessage(new Socket())
  const exchange = makeExchange({ incoming, outgoing: makeResponse(incoming) })
  exchange.findings.route = operationRoute(importPets, () => emptyReply)
  void gate(exchange)
  return exchange
}

test('a request that a fault holds has no time limit for its body', () => {
  for (const name of ['delay', 'never'] as const) {
    const { response } = disturb(name)

    assert.ok(response.allowsSlowBody, name)
  }
})

test('a response that never comes ends its connection after 10 minutes', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { incoming } = disturb('never').request

  t.mock.timers.tick(600_000 - 1)
  assert.equal(incoming?.socket.destroyed, false)
  t.mock.timers.tick(1)
  assert.equal(incoming?.socket.destroyed, true)
})
