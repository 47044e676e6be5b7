import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test, type TestContext } from 'node:test'
import {
  type DocumentWithExamples,
  type ExampleRequest,
  exampleRequests,
  needsEarlierResponse,
  refusedInDemoShop,
} from '../support/document-examples.ts'
import { startSandbox } from '../support/sandbox.ts'

async function startDemo(t: TestContext) {
  const { origin, send } = await startSandbox(t, { seed: 'demo', maxShops: 1_000 })
  const document = (await (await fetch(`${origin}/openapi.json`)).json()) as DocumentWithExamples
  const opened = new Set<string>()
  let shops = 0

  return {
    send,
    requests: exampleRequests(document),
    /** Sends a request to a demo shop, a new one for each change, whose clock is ahead by this duration; returns why it failed. */
    async fault(request: ExampleRequest, ahead?: string): Promise<string | undefined> {
      const { operationId, name, method, path, headers, body } = request
      const shop = method === 'GET' ? `reader${ahead ?? ''}` : `examples-${shops++}`
      if (ahead !== undefined && !opened.has(shop)) await send(shop, 'PUT /sandbox/clock', { advance: ahead })
      opened.add(shop)
      const authorization = `Bearer sandbox_${shop}`
      const response = await fetch(`${origin}/v1${path}`, {
        method,
        headers: { ...headers, authorization },
        ...(body !== undefined && { body }),
      })
      const text = await response.text()
      const refusal = refusedInDemoShop[operationId]
      const isRight = refusal === undefined ? response.ok : response.status === refusal.status
      return isRight ? undefined : `${operationId}, ${name}: ${response.status} ${text}`
    },
  }
}

test('every example of the document is accepted in a demo shop: each alone, and all of an operation together', async (t) => {
  const { requests, fault } = await startDemo(t)
  const faults: (string | undefined)[] = []

  for (const request of [...requests.values()].flat()) faults.push(await fault(request))

  assert.ok(faults.length > 150, String(faults.length))
  assert.deepEqual(faults.filter(Boolean), [])
  const without = [...requests].filter(([, sent]) => sent.length === 0).map(([operationId]) => operationId)
  assert.deepEqual(without, Object.keys(needsEarlierResponse))
})

test('in ten years the examples are still accepted, except for getPet, which is gone', async (t) => {
  const { requests, fault } = await startDemo(t)
  const faults: (string | undefined)[] = []

  for (const sent of requests.values()) {
    const together = sent.at(-1)
    if (together !== undefined) faults.push(await fault(together, 'P10Y'))
  }

  assert.deepEqual(
    faults.filter(Boolean).map((text) => text?.replace(/,.*: (\d+) .*/, ': $1')),
    ['getPet: 410'],
  )
})

test('the examples of a list find something, all together', async (t) => {
  const { requests, send } = await startDemo(t)

  for (const operationId of ['listPets', 'listOrders', 'listCategories', 'exportPets', 'exportOrders']) {
    const { path = '' } = requests.get(operationId)?.at(-1) ?? {}
    const { text } = await send('reader', path)
    assert.match(text, /Rex|Ada|Dogs/, operationId)
  }
})

test('the page for testers names every operation whose request is refused in a demo shop, with its status', () => {
  const page = readFileSync(new URL('../../docs/testing-against-it.md', import.meta.url), 'utf8')
  const [, list = ''] = /except for these: (.*?\))\.\s/s.exec(page) ?? []

  const named = list.split(')').flatMap((part) => {
    const [, status] = /\((\d+):/.exec(part) ?? []
    return [...part.matchAll(/`(\w+)`/g)].map(([, operationId]) => `${operationId} ${status}`)
  })

  const refused = Object.entries({ ...refusedInDemoShop, ...needsEarlierResponse })
  assert.deepEqual(named.toSorted(), refused.map(([operationId, { status }]) => `${operationId} ${status}`).toSorted())
})
