import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, startApp, type TestApp } from '../support/app.ts'
import { engines } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { unknownIds } from '../support/unknown-ids.ts'
import { rex, startWithRex } from '../support/pet-updates.ts'

const merges: Record<string, [change: string, after: string]> = {
  'the name': ['{"name":"Tom"}', '{"id":1,"name":"Tom","categoryId":7,"status":"available"}'],
  'the category': ['{"categoryId":-8}', '{"id":1,"name":"Rex","categoryId":-8,"status":"available"}'],
  'the status': ['{"status":"sold"}', '{"id":1,"name":"Rex","categoryId":7,"status":"sold"}'],
  'the status to pending by hand': ['{"status":"pending"}', '{"id":1,"name":"Rex","categoryId":7,"status":"pending"}'],
  'a status that is taken away': ['{"status":null}', '{"id":1,"name":"Rex","categoryId":7}'],
  'all at once': [
    '{"name":"Tom","categoryId":0,"status":"sold"}',
    '{"id":1,"name":"Tom","categoryId":0,"status":"sold"}',
  ],
  nothing: ['{}', rex],
  'what it is already': ['{"name":"Rex","categoryId":7.0,"status":"available"}', rex],
  'only members that there are not': ['{"id":9,"colour":"red","__proto__":{"name":"x"},"constructor":null}', rex],
}

for (const engine of engines) {
  for (const [what, [change, after]] of Object.entries(merges)) {
    test(`${engine.name}: updatePet changes only the sent members: ${what}`, async (t) => {
      const { update, send } = await startWithRex(t, { engine })

      const answer = await update(change)

      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.headers.get('content-type'), 'application/json')
      assert.equal(answer.headers.get('cache-control'), 'private, no-cache')
      assert.equal(answer.text, after)
      assert.equal((await send('/v1/pets/1')).text, after)
      assert.equal((await send('/v1/pets')).text, `[${after}]`)
    })
  }
}

test('an animal without a status can be given one', async (t) => {
  const { create, sendJson } = await startApp(t)
  await create({ name: 'Rex', categoryId: 7 })

  const answer = await sendJson('PATCH /v1/pets/1', { status: 'available' })

  assert.equal(answer.text, rex)
})

test('an animal whose status is removed is in no list by status', async (t) => {
  const { update, send } = await startWithRex(t)

  await update({ status: null })

  for (const status of ['available', 'pending', 'sold'])
    assert.equal((await send(`/v1/pets?status=${status}`)).text, '[]')
})

for (const from of ['available', 'pending', 'sold', null]) {
  for (const to of ['available', 'pending', 'sold', null]) {
    test(`any status may follow any other: from ${from} to ${to}`, async (t) => {
      const { update } = await startWithRex(t)
      await update({ status: from })

      const answer = await update({ status: to })

      assert.equal(answer.status, 200)
      assert.equal((answer.body as { status?: string }).status, to ?? undefined)
    })
  }
}

test('updatePet changes only the animal with the id', async (t) => {
  const { create, update, send } = await startWithRex(t)
  const tom = await create({ name: 'Tom', categoryId: 1 })

  await update({ name: 'Max' })

  assert.equal((await send('/v1/pets/2')).text, tom.text)
})

test('the response has the ETag of a following GET', async (t) => {
  const { update, send } = await startWithRex(t)
  const before = await send('/v1/pets/1')

  for (const change of [{ status: 'sold' }, { status: null }, {}]) {
    const answer = await update(change)
    const after = await send('/v1/pets/1')

    assert.equal(answer.headers.get('etag'), after.headers.get('etag'))
    assert.notEqual(answer.headers.get('etag'), before.headers.get('etag'))
    assert.equal(
      (await send('/v1/pets/1', { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } })).status,
      304,
    )
  }
})

test('updatePet checks fields like createPet and changes nothing on error', async (t) => {
  const { update, send } = await startWithRex(t)
  const bodies: Record<string, string> = {
    '{"name":null}': 'name',
    '{"name":""}': 'name',
    '{"name":" "}': 'name',
    '{"name":"a\\u0000"}': 'name',
    '{"name":5}': 'name',
    '{"categoryId":null}': 'categoryId',
    '{"categoryId":1.5}': 'categoryId',
    '{"categoryId":"1"}': 'categoryId',
    '{"categoryId":true}': 'categoryId',
    '{"categoryId":9223372036854775808}': 'categoryId',
    '{"categoryId":1.00000000000000000001}': 'categoryId',
    '{"status":""}': 'status',
    '{"status":"SOLD"}': 'status',
    '{"status":"lost"}': 'status',
    '{"status":"null"}': 'status',
    '{"status":false}': 'status',
    '{"status":["sold"]}': 'status',
    '{"name":"Tom","status":"lost"}': 'status',
  }

  for (const [body, field] of Object.entries(bodies)) {
    await t.test(body.slice(0, 60), async () => {
      const answer = await update(body)

      assertError(answer, 'invalid_body')
      assert.match((answer.body as { message: string }).message, new RegExp(`\\b${field}\\b`))
    })
  }
  assert.equal((await send('/v1/pets/1')).text, rex)
})

test('the error for a status says that null is allowed', async (t) => {
  const { update } = await startWithRex(t)

  const answer = await update({ status: 'lost' })

  assert.match((answer.body as { message: string }).message, /\bavailable\b.*\bpending\b.*\bsold\b.*\bnull\b/)
})

for (const engine of engines) {
  for (const digits of ['9007199254740993', '-9007199254740993', '9223372036854775807', '-9223372036854775808']) {
    test(`${engine.name}: a changed categoryId keeps its digits: ${digits}`, async (t) => {
      const { update, send } = await startWithRex(t, { engine })

      const answer = await update(`{"categoryId":${digits}}`)

      assert.equal(answer.text, `{"id":1,"name":"Rex","categoryId":${digits},"status":"available"}`)
      assert.equal((await send('/v1/pets/1')).text, answer.text)
      assert.equal((await update('{}')).text, answer.text)
    })
  }
}

test('a change of the last digit of a long categoryId counts', async (t) => {
  const { update } = await startWithRex(t)
  await update('{"categoryId":9007199254740992}')

  const answer = await update('{"categoryId":9007199254740993}')

  assert.match(answer.text, /9007199254740993/)
})

test('updatePet returns 404 unless the id is the canonical decimal of a stored one', async (t) => {
  const { sendJson, send } = await startWithRex(t)

  for (const [what, id] of Object.entries(unknownIds)) {
    await t.test(what, async () => {
      assertError(await sendJson(`PATCH /v1/pets/${id}`, { name: 'Tom' }), 'not_found')
      assertError(await sendJson(`PATCH /v1/pets/${id}`, { name: 'Tom' }, { 'if-match': '*' }), 'not_found')
    })
  }
  assert.equal((await send('/v1/pets')).text, `[${rex}]`)
})

test('a read key cannot change an animal', async (t) => {
  const { update, makeKey, send } = await startWithRex(t)
  const { secret } = await makeKey({ permission: 'read' })

  const answer = await update({ name: 'Tom' }, { authorization: `Bearer ${secret}` })

  assertError(answer, 'forbidden')
  assert.equal((await send('/v1/pets/1')).text, rex)
})

test('the status of an animal with an open order changes only through the order', async (t) => {
  const { update, sendJson, send } = await startWithRex(t)
  await sendJson('POST /v1/store/orders', { petId: 1 })

  for (const status of ['available', 'sold', null]) {
    const answer = await update({ name: 'Tom', status })
    assertError(answer, 'conflict')
    assert.match(answer.text, /open order/)
  }

  assert.equal((await send('/v1/pets/1')).text, rex.replace('available', 'pending'))
})

test('everything but the status of an animal with an open order may change', async (t) => {
  const { update, sendJson } = await startWithRex(t)
  await sendJson('POST /v1/store/orders', { petId: 1 })

  const answer = await update({ name: 'Tom', categoryId: 8, status: 'pending' })

  assert.equal(answer.text, '{"id":1,"name":"Tom","categoryId":8,"status":"pending"}')
})

for (const end of ['completed', 'cancelled']) {
  test(`after its order is ${end}, the status of an animal may change`, async (t) => {
    const { update, sendJson } = await startWithRex(t)
    await sendJson('POST /v1/store/orders', { petId: 1 })
    await sendJson('PATCH /v1/store/orders/1', { status: end })

    const answer = await update({ status: null })

    assert.equal(answer.status, 200)
  })
}

test('a change is visible in reads and filters at once', async (t) => {
  const { update, send } = await startWithRex(t)
  await listOften({ send })

  await update({ status: 'sold', categoryId: 8 })

  const after = '[{"id":1,"name":"Rex","categoryId":8,"status":"sold"}]'
  assert.equal((await send('/v1/pets')).text, after)
  assert.equal((await send('/v1/pets?status=sold')).text, after)
  assert.equal((await send('/v1/pets?categoryId=8')).text, after)
  assert.equal((await send('/v1/pets?status=available')).text, '[]')
  assert.equal((await send('/v1/pets?categoryId=7')).text, '[]')
})

/** Often enough for the answers to come from memory. */
async function listOften({ send }: Pick<TestApp, 'send'>): Promise<Answer[]> {
  const answers = []
  for (const query of ['', '?status=sold', '?status=available', '?categoryId=7', '?categoryId=8'])
    for (let times = 0; times < 3; times++) answers.push(await send(`/v1/pets${query}`))
  return answers
}
