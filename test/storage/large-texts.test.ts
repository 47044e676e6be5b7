import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Caller } from '../../src/inventory/caller.ts'
import type { Storage } from '../../src/inventory/storage.ts'
import { postgres, sqlite } from '../support/engines.ts'

const name = `Rex ${'x'.repeat(30_000)}`

type Read = (storage: Storage, caller: Caller) => Promise<{ items: readonly { name?: string; data?: string }[] }>

/** Every read whose result may have large texts. A search on SQLite is not among them: it ends at 1 MB of names. */
const reads: Record<string, Read> = {
  list: ({ pets }, caller) => pets.list({}, 10, 0n, caller),
  'list with its total': ({ pets }, caller) => pets.list({ withTotal: true }, 10, 0n, caller),
  'list by name': ({ pets }, caller) => pets.list({ sort: 'name' }, 10, 0n, caller),
  'list by name with its total': ({ pets }, caller) => pets.list({ sort: '-name', withTotal: true }, 10, 0n, caller),
  'list of ids': ({ pets }, caller) => pets.list({ ids: [1n, 2n] }, 10, 0n, caller),
  'list in a held state': ({ atOneState }, caller) =>
    atOneState((state, inState) => state.pets.list({}, 10, 0n, inState), caller),
  'list of events': ({ events }, caller) => events.list(10, undefined, undefined, {}, caller),
  'list of events backwards': ({ events }, caller) => events.listBackwards(10, undefined, undefined, {}, caller),
  'history of an animal': ({ events }, caller) => events.list(10, undefined, undefined, { petId: 1n }, caller),
  'list of filtered events': ({ events }, caller) =>
    events.list(10, undefined, undefined, { type: 'pet.created' }, caller),
}
const searches: Record<string, Read> = {
  search: ({ pets }, caller) => pets.list({ name: 'rex' }, 10, 0n, caller),
  'search by name': ({ pets }, caller) => pets.list({ name: 'rex', sort: 'name' }, 10, 0n, caller),
}

for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: large texts are read when there is room for them`, async (t) => {
    const storage = await engine.open(t)
    await storage.imports.add([1, 2].map(() => ({ name, categoryId: 1n })))

    for (const [kind, read] of Object.entries({ ...reads, ...(engine === postgres && searches) })) {
      const refusing = callerWith(0)
      await assert.rejects(read(storage, refusing), /no room/, kind)
      // What is waited for is known, so it is one wait.
      const waiting = callerWith(1)
      const { items } = await read(storage, waiting)

      const names = items.map((item) => item.name ?? JSON.parse(item.data ?? '{}').name)
      assert.ok(names.length > 0 && names.every((one) => one === name), kind)
      assert.equal(waiting.reserved.length, 1, kind)
      assert.ok((waiting.reserved[0] as number) >= names.length * name.length, kind)
    }
  })
}

/** Who gets room so many times, each time after a wait. */
function callerWith(times: number): Caller & { reserved: number[] } {
  const reserved: number[] = []
  let hasRoom = false
  return {
    id: 'a',
    signal: new AbortController().signal,
    reserved,
    tryReserve: () => hasRoom,
    async reserve(bytes) {
      if (reserved.push(bytes) > times) throw new Error('no room')
      hasRoom = true
    },
  }
}
