import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { openStorage } from '../../../src/storage/open.ts'
import { newPostgresDatabase } from '../../support/postgres-databases.ts'

test('postgres: a table that another session has locked does not keep a service from starting', async (t) => {
  const url = await newPostgresDatabase()
  await (await openStorage(url)).close()
  const holder = new Client({ connectionString: url })
  await holder.connect()
  t.after(() => holder.end())
  await holder.query('BEGIN; LOCK TABLE counters IN SHARE MODE')

  const storage = await openStorage(url)
  t.after(() => storage.close())

  assert.equal(await storage.pets.count({}), 0n)
})
