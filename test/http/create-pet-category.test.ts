import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../support/app.ts'
import { engines } from '../support/engines.ts'
import { assertError } from '../support/error.ts'
import { messageOf } from '../support/create-members.ts'

const categoryIds = {
  '0': '0',
  '1': '1',
  '-1': '-1',
  '-0': '0',
  '-0.0': '0',
  '1.0': '1',
  '-1.000': '-1',
  '1e3': '1000',
  '1E+3': '1000',
  '-1e3': '-1000',
  '1.5e1': '15',
  '10e-1': '1',
  '1200e-2': '12',
  '0e0': '0',
  '0e999999999': '0',
  '0.0e-999999999': '0',
  '1e18': '1000000000000000000',
  '9.223372036854775807e18': '9223372036854775807',
  '92233720368547758070e-1': '9223372036854775807',
  '-9223372036854775808.0': '-9223372036854775808',
  '999999999999999': '999999999999999',
  '9007199254740991': '9007199254740991',
  '9007199254740992': '9007199254740992',
  '9007199254740993': '9007199254740993',
  '-9007199254740993': '-9007199254740993',
  '9223372036854775806': '9223372036854775806',
  '9223372036854775807': '9223372036854775807',
  '-9223372036854775807': '-9223372036854775807',
  '-9223372036854775808': '-9223372036854775808',
}

for (const engine of engines) {
  test(`${engine.name}: a categoryId is any int64 and keeps its digits`, { concurrency: 16 }, async (t) => {
    const { create, send } = await startApp(t, { engine })

    const cases = Object.entries(categoryIds).map(([given, digits]) =>
      t.test(given, async () => {
        const created = await create(`{"name":"Rex","categoryId":${given}}`)

        assert.equal(created.status, 201, created.text)
        const { id } = created.body as { id: number }
        assert.equal(created.text, `{"id":${id},"name":"Rex","categoryId":${digits}}`)
        assert.equal((await send(`/v1/pets/${id}`)).text, created.text)
        assert.equal((await send(`/v1/pets?id=${id}&categoryId=${digits}`)).text, `[${created.text}]`)
      }),
    )
    await Promise.all(cases)
  })
}

test('createPet refuses a categoryId that is not an int64', async (t) => {
  const { create } = await startApp(t)
  const values = [
    '9223372036854775808',
    '-9223372036854775809',
    '18446744073709551616',
    '99999999999999999999999',
    '9.3e18',
    '1e19',
    '1e400',
    '-1e400',
    '1e999999999',
    '1e-1',
    '1e-400',
    '1e-999999999',
    '1.5',
    '-0.5',
    '0.1',
    '15e-1',
    '1.00000000000000000001',
    '0.99999999999999999999',
    '9007199254740991.4',
    '9007199254740993.5',
    '9223372036854775807.1',
    '"1"',
    '"9223372036854775807"',
    '""',
    'true',
    'false',
    'null',
    '[]',
    '[1]',
    '{}',
    '{"value":1}',
  ]

  for (const value of values) {
    await t.test(value, async () => {
      const answer = await create(`{"name":"Rex","categoryId":${value}}`)

      assertError(answer, 'invalid_body')
      assert.match(messageOf(answer), /\bcategoryId\b/)
    })
  }
})
