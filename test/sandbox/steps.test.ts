import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeEntries } from '../../src/sandbox/journal.ts'
import { linesOf } from '../../src/sandbox/lines.ts'
import { snapshotLines } from '../../src/sandbox/snapshot-lines.ts'
import { makeImage } from '../../src/storage/sqlite/upkeep/image.ts'
import { ticksDuring } from '../support/ticks.ts'

/** JSON writes each character as six, slowly. */
const awkward = '\u0001'.repeat(60_000)

test('a snapshot of large rows is made in steps of the event loop', async () => {
  const pets = Array.from({ length: 90 }, (_, index) => [BigInt(index + 1), awkward, 1n, null])
  const image = await makeImage({ rows: { pets } })

  const ticks = await ticksDuring(async () => {
    for await (const part of snapshotLines({ image, clock: undefined })) assert.ok(part.length > 0)
  })

  assert.ok(ticks > 5, `${ticks} ticks`)
})

test('a journal of large bodies is listed in steps of the event loop', async () => {
  const entry = { at: '2026-11-15T09:30:00.000Z', requestId: 'x', method: 'POST', path: '/v1/pets', headers: {} }
  const entries = Array.from({ length: 90 }, (_, id) => ({ ...entry, id, body: awkward }))
  let text = ''

  const ticks = await ticksDuring(async () => {
    text = await encodeEntries(entries)
  })

  assert.equal(text, JSON.stringify(entries))
  assert.ok(ticks > 5, `${ticks} ticks`)
})

for (const [what, line] of [
  ['blank lines', ' \n'],
  ['short lines', '{"id":1}\n'],
] as const) {
  test(`a file of ${what} is read in steps of the event loop, also if all of it is there at once`, async () => {
    const file = Buffer.from(line.repeat(200_000))
    let count = 0

    const ticks = await ticksDuring(async () => {
      for await (const { value } of linesOf([file])) count += Number(value['id'])
    })

    assert.equal(count, what === 'blank lines' ? 0 : 200_000)
    assert.ok(ticks > 5, `${ticks} ticks`)
  })
}
