import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../src/contract/operations/operations.ts'
import { startShop } from '../support/operations.ts'
import { ask, stabilities } from '../support/stability-cases.ts'

test('every operation is tested here and has a stability in the contract', () => {
  assert.deepEqual(Object.fromEntries(operations.map(({ id, stability }) => [id, stability ?? null])), stabilities)
})

for (const [id, stability] of Object.entries(stabilities)) {
  const says = stability === null ? 'no Stability' : `Stability: ${stability}`

  test(`${id} returns ${says}`, async (t) => {
    const app = await startShop(t)

    const answer = await ask(app, id)

    assert.ok(answer.status < 300, answer.text)
    assert.equal(answer.headers.get('stability'), stability)
  })

  test(`errors of ${id} return ${says}`, async (t) => {
    const app = await startShop(t, { rateLimit: 4 })
    const { secret } = await app.makeKey({ permission: 'read' })
    const answers = [
      await ask(app, id, ['Authorization: Bearer unknown']),
      await ask(app, id, [`Authorization: Bearer ${secret}`]),
      await ask(app, id, ['Expect: tea']),
      await ask(app, id, [], '{'),
      await ask(app, id, ['X: 1']),
      await ask(app, id),
      await ask(app, id),
      await ask(app, id),
    ]

    assert.ok(answers.some(({ status }) => status === 401))
    assert.ok(answers.some(({ status }) => status === 417))
    assert.ok(answers.some(({ status }) => status === 429))
    for (const { headers, status } of answers) assert.equal(headers.get('stability'), stability, String(status))
  })
}

test('a cached page has no Stability header', async (t) => {
  const app = await startShop(t)
  for (let times = 0; times < 4; times++) await ask(app, 'listPets')

  assert.equal((await ask(app, 'listPets')).headers.get('stability'), null)
})
