import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodePet, encodePets } from '../../src/contract/pet.ts'
import { encodeBody, wholeBodyOf } from '../../src/http/replies/page-body.ts'
import { wholeBody } from '../../src/http/replies/whole-body.ts'
import { startApp } from '../support/app.ts'
import { sqlite } from '../support/engines.ts'
import { makeExchange } from '../support/exchange.ts'

const names = ['\u0001'.repeat(60_000), '\ufdfa'.repeat(21_000), `e${'\u0301\u0323'.repeat(16_000)}`, 'Rex']
const pets = Array.from({ length: 40 }, (_, index) => ({
  id: BigInt(index + 1),
  name: names[index % 4] as string,
  categoryId: 1n,
}))

test('a large page is encoded in several ticks of the event loop, with the bytes and the digest of one text', async () => {
  let ticks = 0
  const counting = setInterval(() => ticks++, 0)
  const count = () => ticks++
  let next = setImmediate(function again() {
    count()
    next = setImmediate(again)
  })

  const { body, digest } = await encodeBody(pets, encodePet, makeExchange({}))
  clearInterval(counting)
  clearImmediate(next)

  const expected = wholeBodyOf(encodePets(pets))
  assert.equal(String(wholeBody(body)), expected.body)
  assert.equal(digest, expected.digest)
  assert.ok(ticks >= 2, `${ticks} ticks`)
})

test('large names are listed whole, by id and by name, and their events too', async (t) => {
  const { send, storage } = await startApp(t, { engine: sqlite })
  await storage.imports.add(pets.map(({ name, categoryId }) => ({ name, categoryId })))

  const byId = await send('/v1/pets?limit=100')
  const byName = await send('/v1/pets?limit=100&sort=name')
  const events = await send('/v1/events?limit=100')

  assert.equal(byId.text, encodePets(pets))
  const ids = (byName.body as { id: number; name: string }[]).map(({ id, name }) => [id, name === pets[id - 1]?.name])
  assert.deepEqual(
    ids.toSorted(([a], [b]) => Number(a) - Number(b)),
    pets.map(({ id }) => [Number(id), true]),
  )
  assert.deepEqual(
    (events.body as { data: { name: string } }[]).map(({ data }) => data.name),
    pets.map(({ name }) => name),
  )
})
