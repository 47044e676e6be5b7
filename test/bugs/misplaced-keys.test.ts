import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Bug } from '../../src/sandbox/bugs/bug.ts'
import { findBug } from '../../src/sandbox/bugs/catalogue.ts'
import { startSandbox } from '../support/sandbox.ts'

const ways: Record<string, (key: string) => { path: string; headers: Record<string, string> }> = {
  'any-scheme': (key) => ({ path: '/pets', headers: { authorization: `Basic ${key}` } }),
  'key-in-the-address': (key) => ({ path: `/pets?key=${key}`, headers: {} }),
}

for (const [name, requestWith] of Object.entries(ways)) {
  test(`${name} holds in the shop of the key, in every one with --bug, otherwise in the one that has it`, async (t) => {
    const wrong = await startSandbox(t, { bugs: { bugs: [findBug(name) as Bug], isHidden: false } })
    const honest = await startSandbox(t)
    const responseOf = async ({ origin }: { origin: string }, key: string) => {
      const { path, headers } = requestWith(key)
      const { status, headers: sent } = await fetch(`${origin}/v1${path}`, { headers })
      return [status, sent.get('petstore-sandbox')]
    }
    await wrong.send('worker-1', 'POST /pets', { name: 'Rex', categoryId: 1 })
    await honest.send('worker-1', 'PUT /sandbox/bugs', [name])
    await honest.send('worker-2', '/pets')

    assert.deepEqual(await responseOf(wrong, 'sandbox_worker-1'), [200, 'worker-1'])
    assert.deepEqual(await responseOf(wrong, 'sandbox_new'), [200, 'new'])
    assert.deepEqual(await responseOf(wrong, 'sandbox_default'), [200, 'default'])
    assert.deepEqual(await responseOf(wrong, 'another'), [401, 'default'])
    assert.deepEqual(await responseOf(honest, 'sandbox_worker-1'), [200, 'worker-1'])
    assert.deepEqual(await responseOf(honest, 'sandbox_worker-2'), [401, '*'])
  })
}
