import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'
import { engines } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { startWithRex } from '../support/pet-updates.ts'

test('If-Match allows a change if the animal is unchanged', async (t) => {
  const { update, send } = await startWithRex(t)
  const etag = (await send('/v1/pets/1')).headers.get('etag') ?? ''
  const headers = [etag, `"other", ${etag}`, `${etag},"other"`, `W/"x" , ${etag} `, `, ${etag},`, '*', ' * ']

  for (const header of headers) {
    await t.test(header, async () => {
      const answer = await update({ name: 'Rex' }, { 'if-match': header })

      assert.equal(answer.status, 200, answer.text)
    })
  }
})

test('If-Match refuses a change if the animal was changed', async (t) => {
  const { update, send } = await startWithRex(t)
  const stale = (await send('/v1/pets/1')).headers.get('etag') ?? ''
  const { text, headers } = await update({ status: 'sold' })
  const etag = headers.get('etag') ?? ''
  const listed = (await send('/v1/pets')).headers.get('etag') ?? ''
  const refused = {
    stale,
    weak: `W/${etag}`,
    'weak in a list': `"x", W/${etag}`,
    'without quotes': etag.slice(1, -1),
    'in other case': etag.toLowerCase(),
    'cut short': `${etag.slice(0, -2)}"`,
    empty: '',
    'an empty validator': '""',
    'of a page': listed,
    'an asterisk in quotes': '"*"',
    'only others': '"a", "b"',
  }

  for (const [what, header] of Object.entries(refused)) {
    await t.test(what, async () => {
      assertError(await update({ name: 'Tom' }, { 'if-match': header }), 'precondition_failed')
      assertError(await update({}, { 'if-match': header }), 'precondition_failed')
    })
  }
  assert.equal((await send('/v1/pets/1')).text, text)
})

test('a change back to what was read makes If-Match match again', async (t) => {
  const { update, send } = await startWithRex(t)
  const etag = (await send('/v1/pets/1')).headers.get('etag') ?? ''
  await update({ name: 'Tom' })
  await update({ name: 'Rex' })

  const answer = await update({ status: 'sold' }, { 'if-match': etag })

  assert.equal(answer.status, 200)
})

test('If-Match is checked before open orders', async (t) => {
  const { update, sendJson } = await startWithRex(t)
  await sendJson('POST /v1/store/orders', { petId: 1 })

  assertError(await update({ status: 'sold' }, { 'if-match': '"stale"' }), 'precondition_failed')
})

for (const engine of engines) {
  test(`${engine.name}: with If-Match and retries, 16 concurrent counters lose no update`, async (t) => {
    const { create, send, sendJson } = await startApp(t, { engine })
    await create({ name: '0', categoryId: 1 })

    async function increment(): Promise<void> {
      for (;;) {
        const read = await send('/v1/pets/1')
        const name = String(Number((read.body as { name: string }).name) + 1)
        const answer = await sendJson('PATCH /v1/pets/1', { name }, { 'if-match': read.headers.get('etag') ?? '' })
        if (answer.status === 200) return
        assertError(answer, 'precondition_failed')
      }
    }
    await Promise.all(Array.from({ length: 16 }, increment))

    assert.equal(((await send('/v1/pets/1')).body as { name: string }).name, '16')
  })

  test(`${engine.name}: without If-Match the last writer wins, field by field`, async (t) => {
    const { update, send } = await startWithRex(t, { engine })

    const answers = await Promise.all([
      ...Array.from({ length: 20 }, (_, index) => update({ name: `name ${index}` })),
      ...Array.from({ length: 20 }, (_, index) => update({ categoryId: 100 + index })),
      update({ status: 'sold' }),
    ])

    for (const { status } of answers) assert.equal(status, 200)
    const pet = (await send('/v1/pets/1')).body as { name: string; categoryId: number; status: string }
    assert.match(pet.name, /^name \d+$/)
    assert.ok(pet.categoryId >= 100)
    assert.equal(pet.status, 'sold')
  })
}
