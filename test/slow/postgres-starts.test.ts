import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StorageError } from '../../src/storage/shared/errors.ts'
import { openStorage } from '../../src/storage/open.ts'
import { breakablePostgres } from '../support/breakable-postgres.ts'

const postgres = breakablePostgres()

test('postgres: a start with the address of a standby fails with a sentence', async () => {
  const url = await postgres.newDatabase()
  await postgres.server.kill()
  await postgres.restartAs('standby')

  await assert.rejects(openStorage(url), {
    name: 'StorageError',
    message: /is a standby: use the address of the primary/,
  })

  await postgres.server.kill()
  await postgres.restartAs('primary')
})

for (const [what, url, sentence] of [
  ['no server', 'postgres://rex:secret@127.0.0.1:1/petstore', /cannot be reached/],
  ['no host', 'postgres://rex:secret@host.invalid/petstore', /cannot be reached/],
  ['an unknown pooler', 'postgres://rex:secret@127.0.0.1/petstore?pooler=session', /must be none or transaction/],
] as const) {
  test(`postgres: a start with ${what} fails with a sentence without the password`, async () => {
    await assert.rejects(openStorage(url), (error) => {
      assert.ok(error instanceof StorageError, String(error))
      assert.match(error.message, sentence)
      assert.doesNotMatch(error.message, /secret|\n/)
      return true
    })
  })
}

test('postgres: a start without the database says how to create it', async () => {
  await assert.rejects(openStorage(postgres.server.urlOf('nowhere')), {
    name: 'StorageError',
    message: /CREATE DATABASE/,
  })
})
