import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { NewPet } from '../../src/contract/pet.ts'
import { PetStoreError } from '../../src/inventory/errors.ts'
import { openStorage } from '../../src/storage/open.ts'
import { readServer } from '../../src/storage/postgres/connection/server.ts'
import type { Lineages } from '../../src/storage/postgres/writes/begin-lineage.ts'
import { openImportWriter } from '../../src/storage/postgres/writes/import-writes.ts'
import { postgres } from '../support/engines.ts'
import { startProxy } from '../support/proxy.ts'
import { untilAvailable } from '../support/until.ts'

const rex: NewPet = { name: 'Rex', categoryId: 1n }
const steps = {
  'is sent its animals': 'COPY staged_pets',
  'locks the counters': 'FOR UPDATE',
  'adds the animals': 'INSERT INTO pets',
}

for (const [when, text] of Object.entries(steps)) {
  test(`postgres: an import whose connection breaks while the server ${when} is unavailable`, async (t) => {
    const { url, proxy } = await proxiedDatabase(t)
    const { imports, pets, close } = await openStorage(url)
    t.after(close)
    proxy.pass = (bytes) => {
      if (bytes.includes(text)) proxy.cut()
      return bytes
    }

    await assert.rejects(imports.add([rex]), isUnavailable)

    proxy.pass = (bytes) => bytes
    await imports.add([rex])
    const { items } = await untilAvailable(() => pets.list({}, 10, 0n))
    assert.deepEqual(items, [{ id: 1n, ...rex }])
  })

  test(`postgres: an import whose server hangs while it ${when} is unavailable`, async (t) => {
    const { url, proxy } = await proxiedDatabase(t)
    await (await openStorage(url)).close()
    const lineages = { opening: () => [], committed: () => undefined } as unknown as Lineages
    const writer = openImportWriter(readServer(url), lineages, Date.now, 200)
    t.after(() => writer.close())
    proxy.watch = (bytes) => !bytes.includes(text)

    await assert.rejects(writer.add([rex]), isUnavailable)
  })
}

async function proxiedDatabase(t: TestContext) {
  const url = await postgres.url(t)
  const proxy = await startProxy(t, Number(new URL(url).port))
  return { url: url.replace(/:\d+\//, `:${proxy.port}/`), proxy }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof PetStoreError && error.code === 'unavailable' && !error.mayHaveSucceeded
}
