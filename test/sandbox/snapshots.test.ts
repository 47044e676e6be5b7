import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { getSnapshot } from '../../src/sandbox/file-operations.ts'
import { assertError } from '../support/error.ts'
import { startSandbox } from '../support/sandbox.ts'
import { until } from '../support/until.ts'
import { event, keyLine, rex, rexData, shopLine } from '../support/sandbox-resets.ts'

test('a snapshot brings back everything: ids, counters, orders, categories, events and keys', async (t) => {
  const { send } = await startSandbox(t, { seed: 'demo' })
  await send('a', 'POST /pets', { ...rex, name: 'Line\nbreak "quoted" 🐇', categoryId: -7 })
  await send('a', 'POST /pets', rex)
  await send('a', 'DELETE /pets/12')
  await send('a', 'POST /store/orders', { petId: 1, customer: 'Ada' })
  await send('a', 'PATCH /store/orders/4', { status: 'cancelled' })
  await send('a', 'PUT /categories/9', { name: 'Snakes' })
  const made = await send('a', 'POST /keys', { name: 'till', permission: 'read' })
  const { id, key } = made.body as { id: string; key: string }
  await send('a', `POST /keys/${id}/rotate`, {})
  const all = async () => {
    const paths = ['/pets?limit=100', '/store/orders', '/categories', '/events?limit=100', '/store/inventory', '/keys']
    return Promise.all(paths.map(async (path) => (await send('a', path)).text))
  }
  const before = await all()
  assert.match(before.at(-1) ?? '', /"replacedBy":"key_/)
  const snapshot = await send('a', '/sandbox/snapshot')
  await send('a', 'POST /sandbox/reset', { seed: 'empty' })
  assert.equal((await send(key, '/pets')).status, 401)

  const restored = await send('a', 'PUT /sandbox/snapshot', snapshot.text)

  assert.deepEqual([snapshot.status, snapshot.headers.get('content-type')], [200, 'application/x-ndjson'])
  assert.deepEqual([restored.status, restored.text], [204, ''])
  assert.deepEqual(await all(), before)
  assert.equal((await send('a', '/sandbox/snapshot')).text, snapshot.text)
  assert.equal((await send(key, '/pets')).status, 200)
  assert.equal(((await send('a', 'POST /pets', rex)).body as { id: number }).id, 13, 'a deleted id is not used again')
  const { body } = await send('a', '/events?sort=-id&limit=1')
  assert.equal(Number((body as { sequence: string }[])[0]?.sequence), 8)
})

test('events keep their ids in a snapshot, which are positions there; later ones get others', async (t) => {
  const { send } = await startSandbox(t)
  const idsOfEvents = async () => ((await send('a', '/events')).body as { id: string }[]).map(({ id }) => id)
  await send('a', 'POST /pets', rex)
  const snapshot = await send('a', '/sandbox/snapshot')
  await send('a', 'POST /pets', rex)
  const [kept = '', lost = ''] = await idsOfEvents()
  const seen = new Set([kept, lost])

  for (let round = 0; round < 3; round++) {
    await send('a', 'PUT /sandbox/snapshot', snapshot.text)
    await send('a', 'POST /pets', rex)
    const ids = await idsOfEvents()

    assert.equal(ids[0], kept)
    assert.equal(((await send('a', `/events?after=${kept}`)).body as unknown[]).length, 1)
    assert.equal((await send('a', `/events?after=${lost}`)).status, 410)
    for (const id of ids) seen.add(id)
  }
  assert.equal(seen.size, 5)
})

for (const [lineages, message] of [
  [['k3x9Qa7B', undefined], /Line 3: lineage must be as in a snapshot/],
  [[undefined, 'k3x9Qa7B'], /Line 3: lineage must be as in a snapshot/],
  [['k3x9Qa7B', 'Aa000000', 'k3x9Qa7B'], /Line 4: lineage must be as in a snapshot/],
  [['too-long-'], /Line 2: lineage must be a string of eight letters and digits/],
] as const) {
  test(`a snapshot whose events have the lineages ${lineages.join(', ')} is refused`, async (t) => {
    const { send } = await startSandbox(t)

    const { status, text } = await send('a', 'PUT /sandbox/snapshot', snapshotWith(lineages))

    assert.equal(status, 400)
    assert.match(text, message)
  })
}

test('a snapshot may have the lineage that its shop would begin next', async (t) => {
  async function newestAfter(lineages: readonly string[]): Promise<string | undefined> {
    const { send } = await startSandbox(t)
    assert.equal((await send('a', 'PUT /sandbox/snapshot', snapshotWith(lineages))).status, 204)
    await send('a', 'POST /pets', rex)
    const [event] = (await send('a', '/events?sort=-id&limit=1')).body as { id: string }[]
    return event?.id.split('-')[1]
  }
  const next = (await newestAfter(['k3x9Qa7B'])) ?? ''

  const other = await newestAfter([next, 'k3x9Qa7B'])

  assert.equal(new Set([next, other, 'k3x9Qa7B']).size, 3)
})

test('a snapshot with a member that it should not have is refused, and changes nothing', async (t) => {
  const { send } = await startSandbox(t, { seed: 'demo' })
  await send('a', 'POST /keys', { name: 'till', permission: 'read' })
  await send('a', 'PUT /sandbox/clock', { frozen: true })
  await send('a', 'POST /pets', rex)
  const { text } = await send('a', '/sandbox/snapshot')
  const lines = text.trimEnd().split('\n')
  const kinds = new Map(lines.map((line, index) => [(JSON.parse(line) as { type?: string }).type, index]))
  assert.deepEqual(new Set(kinds.keys()), new Set(['shop', 'category', 'order', undefined, 'key', 'day', 'event']))

  const faulty = [...kinds.values()].map((index): [number, string] => [
    index,
    `${lines[index]?.slice(0, -1)},"colour":"red"}`,
  ])
  for (const inside of ['counters', 'clock']) {
    faulty.push([0, lines[0]?.replace(`"${inside}":{`, `"${inside}":{"colour":1,`) ?? ''])
  }

  for (const [index, line] of faulty) {
    const refused = await send('a', 'PUT /sandbox/snapshot', lines.with(index, line).join('\n'))
    assert.equal(refused.status, 400, line)
    assert.match(refused.text, new RegExp(`Line ${index + 1}: `))
  }
  assert.equal((await send('a', '/sandbox/snapshot')).text, text)
  assert.equal((await send('a', 'PUT /sandbox/snapshot', text)).status, 204)
})

test('a snapshot has no webhook, because a webhook has a secret', async (t) => {
  const { send } = await startSandbox(t, { seed: 'empty' })
  const created = await send('a', 'POST /webhooks', { url: 'http://127.0.0.1:1/hook' })
  const { secret } = created.body as { secret: string }

  const snapshot = await send('a', '/sandbox/snapshot')
  await send('a', 'PUT /sandbox/snapshot', snapshot.text)

  assert.deepEqual([created.status, snapshot.status], [201, 200])
  assert.equal(snapshot.text.includes(secret), false)
  assert.doesNotMatch(snapshot.text, /webhook|whsec_|hook/)
  assert.equal((await send('a', '/webhooks')).text, '[]')
})

test('a snapshot has no invitations and no imports, as its description says', async (t) => {
  const { send } = await startSandbox(t, { seed: 'empty' })
  await send('a', 'POST /invitations', { name: 'Anna', permission: 'read' })
  const csv = { 'content-type': 'text/csv' }
  await send('a', 'POST /pets/import?importId=spring', 'name,categoryId\nRex,1\n', csv)
  const left = async () => [(await send('a', '/invitations')).text, (await send('a', '/pets/imports')).text]
  assert.equal((await left()).includes('[]'), false)

  const snapshot = await send('a', '/sandbox/snapshot')
  await send('a', 'PUT /sandbox/snapshot', snapshot.text)

  assert.doesNotMatch(snapshot.text, /Anna|spring/)
  assert.deepEqual(await left(), ['[]', '[]'])
  assert.equal((await send('a', '/pets')).text, '[{"id":1,"name":"Rex","categoryId":1}]')
  assert.match(getSnapshot.description, /Webhooks, invitations, imports and idempotency keys are not in it/)
})

test('a snapshot brings back ids above 2^53, also those that follow the highest one of a seed', async (t) => {
  const { send } = await startSandbox(t)
  await send('a', 'POST /sandbox/reset', '{"id":9000000000000000000,"name":"Rex","categoryId":1}')
  await send('a', 'POST /pets', rex)
  const snapshot = await send('a', '/sandbox/snapshot')

  const restored = await send('a', 'PUT /sandbox/snapshot', snapshot.text)

  assert.equal(restored.status, 204, restored.text)
  assert.equal((await send('a', '/sandbox/snapshot')).text, snapshot.text)
})

test('a snapshot brings back counts of days above 2^53 with all their digits, and they go on', async (t) => {
  const { send } = await startSandbox(t)
  const counts = '"added":9007199254740993,"removed":0,"ordered":0,"completed":0,"cancelled":9200000000000000000'
  const day = `{"type":"day","date":"2026-01-01",${counts}}`
  assert.equal((await send('a', 'PUT /sandbox/snapshot', [shopLine, day, event(1, rexData)].join('\n'))).status, 204)
  const saved = (await send('a', '/sandbox/snapshot')).text

  await send('a', 'PUT /sandbox/clock', { now: '2026-01-01T12:00:00Z' })
  const created = await send('a', 'POST /pets', rex)

  assert.ok(saved.includes(`${day}\n`), saved)
  assert.equal(created.status, 201, created.text)
  assert.match((await send('a', '/sandbox/snapshot')).text, /"added":9007199254740994,/)
})

test('a snapshot whose counts leave no room for what comes is 400, and names the line', async (t) => {
  const { send } = await startSandbox(t)
  for (const name of ['added', 'removed', 'ordered', 'completed', 'cancelled']) {
    const counts = { added: 0, removed: 0, ordered: 0, completed: 0, cancelled: 0 }
    const day = JSON.stringify({ type: 'day', date: '2026-01-01', ...counts })
    const full = day.replace(`"${name}":0`, `"${name}":9223372036854775807`)

    const { status, text } = await send('a', 'PUT /sandbox/snapshot', `${shopLine}\n${full}`)

    assert.equal(status, 400, text)
    assert.match(text, new RegExp(`Line 2: ${name} must be at most 9200000000000000000`))
  }
})

test('a snapshot opens in another shop as well', async (t) => {
  const { send } = await startSandbox(t, { seed: 'demo' })
  const { key } = (await send('a', 'POST /keys', { name: 'till' })).body as { key: string }

  await send('b', 'PUT /sandbox/snapshot', (await send('a', '/sandbox/snapshot')).text)

  assert.equal((await send('b', '/pets?limit=1')).status, 200)
  assert.equal((await send(key, '/pets')).headers.get('petstore-sandbox'), 'a', 'the key stays with its first shop')
})

test('a broken snapshot is 400, names its line, and changes nothing', async (t) => {
  const { send } = await startSandbox(t)
  await send('a', 'POST /pets', rex)

  for (const [lines, message] of [
    [[], /Line 1: A snapshot begins with/],
    [['{"id":1,"name":"A","categoryId":1}'], /Line 1: A snapshot begins with/],
    [['{"type":"shop","version":2}'], /Line 1: A snapshot begins with/],
    [['{"type":"shop","version":1}'], /Line 1: pets is missing/],
    [[shopLine, shopLine], /Line 2: A snapshot begins with .* once/],
    [[shopLine, '{"id":4,"name":"A","categoryId":1}'], /Line 1: counters.pets must be the highest id/],
    [[shopLine, event(2, rexData)], /Line 1: counters.events/],
    [[shopLine, event(1, rexData), event(3, rexData)], /Line 3: Events have no gaps/],
    [[shopLine, event(1, '{"id":1}')], /Line 2: data must be/],
    [[shopLine, event(1, `${rexData}\n\nid: 9`)], /Line 2: data must be/],
    [[shopLine, event(1, rexData, ',"author":"{\\n}"')], /Line 2: author must be/],
    [[shopLine, '{"type":"key","id":"key_a","name":"a","permission":"root"}'], /Line 2: permission must be one of/],
    [[shopLine, keyLine('a', 'b'), keyLine('a', 'c')], /Line 3: Another key has the same id or hash/],
    [[shopLine, keyLine('a', 'b'), keyLine('c', 'b')], /Line 3: Another key has the same id or hash/],
  ] as const) {
    const { status, text } = await send('a', 'PUT /sandbox/snapshot', lines.join('\n'))
    assert.equal(status, 400, text)
    assert.match(text, message)
  }
  assert.equal((await send('a', 'PUT /sandbox/snapshot', [shopLine, event(1, rexData)].join('\n'))).status, 204)
})

test('a snapshot of 10,000 animals goes out and in', async (t) => {
  const lines = Array.from({ length: 10_000 }, (_, index) => `{"id":${index + 1},"name":"Rex","categoryId":${index}}\n`)
  const { send } = await startSandbox(t, { seed: { file: Buffer.from(lines.join('')) } })

  const snapshot = await send('a', '/sandbox/snapshot')
  const restored = await send('b', 'PUT /sandbox/snapshot', snapshot.text)
  const over = await send('b', 'PUT /sandbox/snapshot', `${snapshot.text}{"id":10001,"name":"Tom","categoryId":1}\n`)

  assert.equal(restored.status, 204)
  assert.match(over.text, /"conflict".*at most 10,000 animals/)
  assert.equal((await send('b', '/pets?id=10000')).text, '[{"id":10000,"name":"Rex","categoryId":9999}]')
})

test('the seeds and snapshots of one shop cannot take all places', async (t) => {
  const { send, origin } = await startSandbox(t)
  const headers = { authorization: 'Bearer sandbox_a', 'content-type': 'application/x-ndjson' }
  for (let count = 0; count < 20; count++) {
    const upload = request(`${origin}/v1/sandbox/snapshot`, { method: 'PUT', headers, agent: false })
    t.after(() => upload.destroy())
    upload.on('error', () => undefined).write(' ')
  }
  await until(async () => (await send('a', '/sandbox/snapshot')).status === 503)

  assertError(await send('a', '/sandbox/snapshot'), 'unavailable')
  assert.equal((await send('b', '/sandbox/snapshot')).status, 200)
})

/** A snapshot of a shop without animals, with an event of each lineage. */
function snapshotWith(lineages: readonly (string | undefined)[]): string {
  const data = '{"id":1,"name":"Rex","categoryId":1}'
  const at = '2026-11-15T09:30:00.000Z'
  const events = lineages.map((lineage, index) =>
    JSON.stringify({ type: 'event', id: index + 1, subject: 1, lineage, event: 'pet.created', at, data }),
  )
  const counters = `{"pets":0,"orders":0,"events":${lineages.length}}`
  return [`{"type":"shop","version":1,"counters":${counters}}`, ...events].join('\n')
}
