import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startApp } from '../../support/app.ts'

test('texts of any characters are sent byte for byte', async (t) => {
  const { create, send } = await startApp(t)
  const names = ['Rex', 'Größe', '\u0080', '犬', '🐇']

  for (const [index, name] of names.entries()) {
    const pet = `{"id":${index + 1},"name":"${name}","categoryId":1}`

    assert.equal((await create({ name, categoryId: 1 })).text, pet)
    // The third is in memory.
    for (let times = 0; times < 3; times++) assert.equal((await send(`/v1/pets/${index + 1}`)).text, pet)
  }
})

test('the response of an unknown path has no stability', async (t) => {
  const { status, headers } = await (await startApp(t)).send('/v1/nothing')

  assert.deepEqual([status, headers.get('stability')], [404, null])
})
