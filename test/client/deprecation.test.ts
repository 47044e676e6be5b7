import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDeprecation } from '../../client/src/deprecation.ts'
import { isPetStoreError } from '../../client/src/index.ts'
import { startClient } from '../support/client.ts'

test('a deprecated operation warns once', async (t) => {
  const { petstore, proxy, service, warnings } = await startClient(t)
  await service.create({ name: 'Rex', categoryId: 1 })

  for (let times = 0; times < 3; times++) await petstore.pets.get(1)
  await petstore.pets.find(1)

  assert.deepEqual(warnings, [
    `Pet Store: getPet is deprecated since 2026-11-14 and is removed on 2030-12-05; see ${proxy.origin}/docs`,
  ])
})

test('a failed deprecated operation warns too', async (t) => {
  const { petstore, warnings } = await startClient(t)

  await assert.rejects(petstore.pets.get(1), (error) => isPetStoreError(error, 'not_found'))
  assert.equal(warnings.length, 1)
})

test('an error in onWarning does not fail the call and is reported', async (t) => {
  const reported = t.mock.method(console, 'error', () => undefined)
  const thrown = [new Error('thrown'), new Error('rejected')]
  const { petstore, service } = await startClient(t, {
    onWarning() {
      throw thrown[0]
    },
  })
  const other = await startClient(t, { onWarning: () => Promise.reject(thrown[1]) as unknown as undefined })
  await service.create({ name: 'Rex', categoryId: 1 })

  assert.equal((await petstore.pets.get(1)).name, 'Rex')
  await assert.rejects(other.petstore.pets.get(1), (error) => isPetStoreError(error, 'not_found'))

  assert.deepEqual(
    reported.mock.calls.map(({ arguments: [, error] }) => error as unknown),
    thrown,
  )
})

const deprecated = 'Pet Store: getPet is deprecated'
for (const [name, headers, message] of [
  ['an absurd date', { deprecation: '@99999999999999999999' }, `${deprecated}.`],
  ['a year of five digits', { deprecation: '@999999999999' }, `${deprecated} since +033658-09-27.`],
  ['no date', { deprecation: 'true' }, `${deprecated}.`],
  ['a sunset that is no date', { deprecation: '@0', sunset: 'soon' }, `${deprecated} since 1970-01-01.`],
  ['a Link that is none', { deprecation: '@0', link: 'docs' }, `${deprecated} since 1970-01-01.`],
] as const) {
  test(`a deprecation with ${name} is reported as far as it is readable`, () => {
    assert.equal(readDeprecation('getPet', new Headers(headers))?.message, message)
  })
}
