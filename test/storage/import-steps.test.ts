import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandLineKeyId, idempotencyRetentionMs } from '../../src/inventory/rules/idempotency.ts'
import { engines } from '../support/engines.ts'
import { first, key, names, rex, second, tom } from '../support/stored-imports.ts'

for (const engine of engines) {
  test(`${engine.name}: the latest step of a key is stored with its animals`, async (t) => {
    const storage = await engine.open(t)
    await storage.imports.add([rex], () => first)
    await storage.imports.add([tom], () => second)

    assert.deepEqual(await storage.imports.stepOf(key), { fingerprint: 'two', body: '{"rows":2}' })
    assert.equal(await storage.imports.stepOf({ ...key, keyId: 'other' }), undefined)
    assert.equal(await storage.imports.stepOf({ ...key, name: 'other' }), undefined)
    assert.deepEqual(await names(storage), ['Rex', 'Tom'])
  })

  for (const [what, earlier, step] of [
    ['starts a key that is in use', [first], first],
    ['does not replace the stored step', [first, second], second],
    ['replaces a step that is not stored', [], second],
  ] as const) {
    test(`${engine.name}: a step that ${what} adds nothing`, async (t) => {
      const storage = await engine.open(t)
      for (const before of earlier) await storage.imports.add([rex], () => before)
      const stored = await storage.imports.stepOf(key)

      assert.equal(await storage.imports.add([tom], () => step), false)

      assert.deepEqual(
        await names(storage),
        earlier.map(() => 'Rex'),
      )
      assert.deepEqual(await storage.imports.stepOf(key), stored)
    })
  }

  test(`${engine.name}: the step of an API key expires after a day, that of the command line never`, async (t) => {
    let now = 1_000
    const storage = await engine.open(t, () => now)
    const ofFile = { ...first, key: { ...first.key, keyId: commandLineKeyId } }
    await storage.imports.add([rex], () => first)
    await storage.imports.add([rex], () => ofFile)
    now += 1_000 * idempotencyRetentionMs

    assert.equal(await storage.imports.stepOf(key), undefined)
    assert.equal(await storage.imports.add([tom], () => first), true)
    assert.deepEqual(await storage.imports.stepOf(ofFile.key), { fingerprint: 'one', body: '{"rows":1}' })
    assert.equal(await storage.imports.add([tom], () => ofFile), false)
    now += idempotencyRetentionMs
    assert.equal(await storage.deleteExpiredResponses(), 1)
    assert.deepEqual(await storage.imports.stepOf(ofFile.key), { fingerprint: 'one', body: '{"rows":1}' })
    assert.deepEqual(await names(storage), ['Rex', 'Rex', 'Tom'])
  })

  test(`${engine.name}: a create with the key of an import is a mismatch`, async (t) => {
    const storage = await engine.open(t)
    await storage.imports.add([rex], () => first)

    assert.deepEqual(await storage.pets.create(tom, { ...key, fingerprint: 'pet' }), { outcome: 'mismatch' })
  })
}
