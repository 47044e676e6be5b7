import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'
import { engines } from '../support/engines.ts'
import { assertError } from '../support/error.ts'

for (const engine of engines) {
  test(`${engine.name}: listDays has the last 30 days, also empty ones, or every day from one to another`, async (t) => {
    let now = Date.parse('2026-03-01T12:00:00Z')
    const { create, send, sendJson } = await startApp(t, { engine, clock: () => now })
    await create({ name: 'Rex', categoryId: 1, status: 'available' })
    await sendJson('POST /v1/store/orders', { petId: 1 })
    now = Date.parse('2026-03-02T00:00:00Z')
    await sendJson('PATCH /v1/store/orders/1', { status: 'completed' })

    const { body, headers } = await send('/v1/store/days')
    const days = body as { date: string }[]

    assert.equal(days.length, 30)
    assert.deepEqual(days[0], { date: '2026-02-01', added: 0, removed: 0, ordered: 0, completed: 0, cancelled: 0 })
    assert.deepEqual(days.slice(-2), [
      { date: '2026-03-01', added: 1, removed: 0, ordered: 1, completed: 0, cancelled: 0 },
      { date: '2026-03-02', added: 0, removed: 0, ordered: 0, completed: 1, cancelled: 0 },
    ])
    assert.equal(
      (await send('/v1/store/days', { headers: { 'if-none-match': headers.get('etag') ?? '' } })).status,
      304,
    )
    assert.deepEqual((await send('/v1/store/days?from=2026-03-01&to=2026-03-02')).body, days.slice(-2))
    assert.equal(((await send('/v1/store/days?to=2026-03-01')).body as unknown[]).length, 30)
    assert.equal(((await send('/v1/store/days?from=2025-03-02')).body as unknown[]).length, 366)
  })
}

test('listDays begins with the first day that a date can name', async (t) => {
  const { send } = await startApp(t)

  const days = (await send('/v1/store/days?to=0000-01-03')).body as { date: string }[]

  assert.deepEqual(
    days.map(({ date }) => date),
    ['0000-01-01', '0000-01-02', '0000-01-03'],
  )
})

test('listDays refuses what is no date, an end before its beginning, and more than 366 days', async (t) => {
  const { send } = await startApp(t, { clock: () => Date.parse('2026-03-02T00:00:00Z') })

  for (const [query, fields] of [
    ['from=2026-02-29', 'from'],
    ['to=2026-3-1', 'to'],
    ['to=2026-03-01T00:00:00Z', 'to'],
    ['from=', 'from'],
    ['from=2026-03-02&to=2026-03-01', 'from,to'],
    ['from=2026-03-03', 'from'],
    ['from=2025-03-01', 'from'],
    ['from=2024-01-01&to=2025-01-01', 'from,to'],
  ] as const) {
    const refused = await send(`/v1/store/days?${query}`)
    assertError(refused, 'invalid_parameter')
    assert.equal(refused.headers.get('invalid-fields')?.replaceAll(' ', ''), fields, query)
  }
})
