import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Import, UndoResult } from '../../src/contract/import.ts'
import { EarlierImport, type ImportResult } from '../../src/contract/import-result.ts'
import { maxImportPauseMs } from '../../src/inventory/stored-import.ts'
import { startApp, type TestApp } from '../support/app.ts'
import { postgres, sqliteInMemory } from '../support/engines.ts'
import { assertError } from '../support/error.ts'

const csv = { 'content-type': 'text/csv' }
const rows = 'name,categoryId\nRex,1\nTom,2\n'

function sendImport(app: TestApp, query: string, body = rows, headers: Record<string, string> = {}) {
  return app.send(`/v1/pets/import${query}`, { method: 'POST', headers: { ...csv, ...headers }, body })
}

/** One call of undo. */
function undo(app: TestApp, id: string, query = '', headers: Record<string, string> = {}) {
  return app.send(`/v1/pets/imports/${id}/undo${query}`, { method: 'POST', headers })
}

async function importId(app: TestApp, query = '', body = rows): Promise<string> {
  return ((await sendImport(app, query, body)).body as ImportResult).importId as string
}

for (const engine of [sqliteInMemory, postgres]) {
  test(`${engine.name}: an import of several requests is listed, exported and undone as one`, async (t) => {
    const app = await startApp(t, { engine })
    await app.create({ name: 'Old', categoryId: 1 })
    const first = await sendImport(app, '?importId=spring', `${rows},3\n`)
    await sendImport(app, '?importId=spring', 'name,categoryId\nMia,1\n')
    await app.sendJson('PATCH /v1/pets/3', { name: 'Thomas' })

    const listed = (await app.send('/v1/pets/imports')).body as Import[]
    const names = async (path: string) => (await app.send(path)).text.match(/Rex|Thomas|Mia|Old/g)

    assert.equal((first.body as ImportResult).importId, 'spring')
    assert.deepEqual(
      listed.map(({ id, keyname, added, rejected, undoneAt }) => [id, keyname, added, rejected, undoneAt]),
      [['spring', 'test', 3, 1, undefined]],
    )
    assert.deepEqual(await names('/v1/pets?importId=spring'), ['Rex', 'Thomas', 'Mia'])
    assert.deepEqual(await names('/v1/pets/export?importId=spring'), ['Rex', 'Thomas', 'Mia'])
    const undone = await undo(app, 'spring')
    const message = 'The animal was changed or ordered after it was added.'
    assert.equal(undone.text, `{"removed":2,"kept":1,"keeps":[{"id":3,"message":"${message}"}]}`)
    assert.deepEqual(await names('/v1/pets'), ['Old', 'Thomas'])
    assert.ok(((await app.send('/v1/pets/imports')).body as Import[])[0]?.undoneAt !== undefined)
    const deleted = (await app.send('/v1/events?type=petstore.pet.deleted')).body as { keyname: string }[]
    assert.deepEqual(
      deleted.map(({ keyname }) => keyname),
      ['test', 'test'],
    )
  })

  test(`${engine.name}: an id that no import can have is that of none`, async (t) => {
    const app = await startApp(t, { engine })

    for (const id of ['%00', 'x%00', 'a.b', 'ä', 'x'.repeat(65), 'unknown'])
      assertError(await undo(app, id), 'not_found')
  })

  test(`${engine.name}: a dry run says when the same animals were imported, and by whom, in whatever format`, async (t) => {
    const app = await startApp(t, { engine })
    const before = (await sendImport(app, '?dry-run=true')).body as ImportResult
    const id = await importId(app)
    const other = (await sendImport(app, '?dry-run=true', `${rows}Mia,1\n`)).body as ImportResult
    const semicolons = rows.replaceAll(',', ';').replaceAll('\n', '\r\n')
    const again = (await sendImport(app, '?dry-run=true', semicolons)).body as ImportResult
    await undo(app, id)
    const afterwards = (await sendImport(app, '?dry-run=true')).body as ImportResult

    assert.deepEqual([before.earlier, other.earlier, afterwards.earlier], [undefined, undefined, undefined])
    assert.equal(before.importId, undefined)
    const [{ at }] = (await app.send('/v1/pets/imports')).body as [Import]
    assert.deepEqual(again.earlier, { importId: id, at, keyname: 'test' })
  })

  test(`${engine.name}: a dry run of a part does not name its own import, whose parts may be equal`, async (t) => {
    const app = await startApp(t, { engine })
    await sendImport(app, '?importId=spring')
    const earlierOf = async (query: string) =>
      ((await sendImport(app, `?dry-run=true${query}`)).body as ImportResult).earlier?.importId

    assert.deepEqual(
      [await earlierOf(''), await earlierOf('&importId=summer'), await earlierOf('&importId=spring')],
      ['spring', 'spring', undefined],
    )
    assert.match(
      (EarlierImport as { description?: string }).description ?? '',
      /Never the one whose `importId` was sent/,
    )
  })

  test(`${engine.name}: after an undo a retry of the import repeats its response and adds nothing`, async (t) => {
    const app = await startApp(t, { engine })
    const key = { 'idempotency-key': 'spring' }
    const first = await sendImport(app, '', rows, key)
    const { importId: id = '' } = first.body as ImportResult
    await undo(app, id)

    const retry = await sendImport(app, '', rows, key)

    assert.deepEqual([retry.text, retry.headers.get('idempotent-replayed')], [first.text, 'true'])
    assert.equal((await app.send('/v1/pets')).text, '[]')
    assertError(await sendImport(app, `?importId=${id}`), 'conflict')
  })
}

/** More than a batch, then what ends the file early. */
const many = `name,categoryId\n${'Rex,1\n'.repeat(2_500)}`
const broken = `${many}${'x'.repeat(1_200_000)}`

for (const engine of [sqliteInMemory, postgres]) {
  test(`${engine.name}: nothing is added to an import that is not listed any more`, async (t) => {
    const app = await startApp(t, { engine })
    await importId(app, '?importId=daily')
    await app.storage.events.forget(Date.now() + 1_000)

    for (const query of ['?importId=daily', '?importId=daily&dry-run=true']) {
      const refused = await sendImport(app, query)
      assertError(refused, 'conflict')
      assert.match((refused.body as { message: string }).message, /not listed any more.*: choose another one\.$/)
    }
    assert.equal(await app.storage.pets.count({}), 2n)
  })

  test(`${engine.name}: an import that goes on when it is not listed any more gets another id for the rest`, async (t) => {
    const app = await startApp(t, { engine })
    const key = { 'idempotency-key': 'spring' }
    assertError(await sendImport(app, '', broken, key), 'invalid_body')
    const before = await app.storage.pets.count({})
    const [{ id }] = (await app.send('/v1/pets/imports')).body as [Import]
    await app.storage.events.forget(Date.now() + 1_000)
    await app.storage.events.forget(Date.now() + 1_000)

    const { body } = await sendImport(app, '', many, key)

    const { importId: rest, added } = body as ImportResult
    const listed = (await app.send('/v1/pets/imports')).body as Import[]
    assert.ok(before > 0n && rest !== id)
    assert.deepEqual([added, listed.map((one) => [one.id, BigInt(one.added)])], [2_500, [[rest, 2_500n - before]]])
  })

  test(`${engine.name}: an import that an undo has stopped says what was added, and not to send it again`, async (t) => {
    let now = Date.now()
    const app = await startApp(t, { engine, clock: () => now })
    const key = { 'idempotency-key': 'spring' }
    const stopped = (await sendImport(app, '', broken, key)).body as { message: string }
    const [, added, id = ''] = /(\d+) animals were added\. .* The importId is (\w+)\.$/.exec(stopped.message) ?? []
    now += maxImportPauseMs
    assert.equal((await undo(app, id)).status, 200)

    const refused = await sendImport(app, '', many, key)

    assert.match(stopped.message, / Send the whole file with the same Idempotency-Key to add the rest\./)
    assertError(refused, 'conflict')
    const reason = 'importId belongs to an import that was undone: choose another one.'
    const { message } = refused.body as { message: string }
    assert.equal(message, `${reason} ${added} animals were added. The importId is ${id}.`)
  })
}

test('next leads through an undo; a repeated request removes nothing twice', async (t) => {
  const app = await startApp(t)
  const id = await importId(app, '', `name,categoryId\n${'Rex,1\n'.repeat(1_500)}`)
  const key = { 'idempotency-key': 'one' }

  const first = await undo(app, id, '', key)
  const replayed = await undo(app, id, '', key)
  const { next } = first.body as UndoResult
  const last = await undo(app, id, `?cursor=${next}`)

  assert.deepEqual([(first.body as UndoResult).removed, replayed.headers.get('idempotent-replayed')], [1_000, 'true'])
  assert.equal(replayed.text, first.text)
  assert.deepEqual(last.body, { removed: 500, kept: 0, keeps: [] })
  assertError(await undo(app, id, `?cursor=${next}`, key), 'idempotency_mismatch')
})

test('a cursor that is not of this undo is 400, and says where it comes from', async (t) => {
  const app = await startApp(t)
  const id = await importId(app, '', `name,categoryId\n${'Rex,1\n'.repeat(1_001)}`)
  const { next = '' } = (await undo(app, id)).body as UndoResult
  const ofList = (await app.send('/v1/pets?limit=1')).headers.get('next-cursor')
  const last = next.at(-1) === 'A' ? 'B' : 'A'

  for (const [name, cursor] of [
    ['other', next],
    [id, `${next.slice(0, -1)}${last}`],
    [id, next.slice(4)],
    [id, 'a'],
    [id, ofList ?? 'a'],
  ] as const) {
    const refused = await undo(app, name, `?cursor=${cursor}`)
    assertError(refused, 'invalid_parameter')
    assert.match(refused.text, /"cursor must be `next` of a response to an undo of the same import\."/)
  }
})

test('an importId belongs to the key that used it first, and has 1 to 64 letters, digits, _ and -', async (t) => {
  const app = await startApp(t)
  await importId(app, '?importId=spring')
  const { key } = (await app.sendJson('POST /v1/keys', { name: 'other' })).body as { key: string }
  const authorization = `Bearer ${key}`

  assertError(await sendImport(app, '?importId=spring', rows, { authorization }), 'conflict')
  assertError(await sendImport(app, '?importId=spring&dry-run=true', rows, { authorization }), 'conflict')
  assert.equal((await undo(app, 'spring', '', { authorization })).status, 200)
  for (const wrong of ['', 'a b', 'ä', 'x'.repeat(65)])
    assertError(await sendImport(app, `?importId=${encodeURIComponent(wrong)}`), 'invalid_parameter')
})

test('an unknown import is 404, one without all its events 410, and sort is refused with importId', async (t) => {
  const app = await startApp(t)
  const id = await importId(app)
  await app.storage.events.forget(Date.now() + 1_000)

  assertError(await undo(app, id), 'gone')
  assertError(await undo(app, 'unknown'), 'not_found')
  assertError(await app.send('/v1/pets?importId=spring&sort=-id'), 'invalid_parameter')
  assert.equal((await app.send('/v1/pets?importId=unknown')).text, '[]')
})

test('a read key lists imports and cannot undo one', async (t) => {
  const app = await startApp(t)
  const id = await importId(app)
  const { key } = (await app.sendJson('POST /v1/keys', { name: 'reader', permission: 'read' })).body as { key: string }
  const headers = { authorization: `Bearer ${key}` }

  assert.equal((await app.send('/v1/pets/imports', { headers })).status, 200)
  assertError(await undo(app, id, '', headers), 'forbidden')
})
