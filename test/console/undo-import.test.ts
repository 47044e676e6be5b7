import assert from 'node:assert/strict'
import { startApp } from '../support/app.ts'
import { assertAccessible } from '../support/axe.ts'
import { browserTest, eventually } from '../support/browser.ts'

const rows = Array.from({ length: 1_200 }, (_none, at) => `Pet ${at + 1},1,available\n`).join('')
const file = { name: 'animals.csv', mimeType: 'text/csv', buffer: Buffer.from(`name,categoryId,status\n${rows}`) }

browserTest('an import is undone from its result, and a second one from the activity', async (t, open) => {
  const { origin, key, storage, sendJson } = await startApp(t)
  await sendJson('POST /v1/pets', { name: 'Old', categoryId: 1 })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  const dialog = page.getByRole('dialog', { name: 'Import animals' })
  async function importFile() {
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog.getByLabel('File').setInputFiles(file)
    await dialog.getByText('animals.csv: 1,200 rows').waitFor()
    await dialog.getByRole('button', { name: 'Next' }).click()
    await dialog.getByRole('button', { name: 'Next' }).click()
    await dialog.getByText('1,200 ready, 0 problems').waitFor()
  }

  await importFile()
  assert.equal(await dialog.getByText('were imported before').count(), 0)
  await dialog.getByRole('button', { name: 'Import 1,200 animals' }).click()
  await dialog.getByText('1,200 animals were added.').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  // The same file again is noticed before it is imported.
  await importFile()
  await dialog
    .getByRole('alert')
    .getByText(/The same animals were imported before: .+, by test\./)
    .waitFor()
  await assertAccessible(page, 'an import that was made before')
  await dialog.getByRole('button', { name: 'Import 1,200 animals' }).click()
  await dialog.getByText('1,200 animals were added.').waitFor()
  assert.equal(await storage.pets.count({}), 2_401n)

  await dialog.getByRole('button', { name: 'Undo this import' }).click()
  const undoing = page.getByRole('dialog', { name: 'Undo this import' })
  await eventually(async () => assert.equal(await page.locator(':focus').textContent(), 'Cancel'))
  // The second call removes its animals; it and its retries lose their responses.
  let calls = 0
  await page.route('**/undo*', async (route) => {
    calls++
    if (calls < 2 || calls > 4) return route.fallback()
    await route.fetch()
    await route.abort()
  })
  await undoing.getByRole('button', { name: 'Delete 1,200 animals' }).click()
  await undoing.getByRole('alert').getByText('cannot be reached').waitFor()
  await undoing.getByText('1,000 animals were deleted.').waitFor()
  await assertAccessible(page, 'an undo that failed')
  await undoing.getByRole('button', { name: 'Go on' }).click()
  await undoing.getByText('1,200 animals were deleted.').waitFor()
  await eventually(async () => assert.equal(await page.locator(':focus').textContent(), '1,200 animals were deleted.'))
  await undoing.getByRole('button', { name: 'Close' }).click()
  assert.equal(await storage.pets.count({}), 1_201n)

  // The first import, of which two animals were changed and ordered since.
  await sendJson('PATCH /v1/pets/2', { name: 'Bella' })
  await sendJson('POST /v1/store/orders', { petId: 3 })
  await page.goto(`${origin}/#/activity`)
  const imports = page.getByRole('region', { name: 'Imports' })
  await imports.getByText('1,200 animals were imported').waitFor()
  assert.equal(await imports.getByRole('button').count(), 1)
  await assertAccessible(page, 'the imports of the activity')
  await imports.getByRole('button', { name: 'Undo this import' }).click()
  await undoing.getByRole('button', { name: 'Delete 1,200 animals' }).click()
  await undoing.getByText('1,198 animals were deleted. 2 animals stay: changed or ordered since.').waitFor()
  await undoing.getByText('Animal 3: The animal has an open order').waitFor()
  // What is behind the dialog is up to date at once, and no card is empty.
  await imports.waitFor({ state: 'detached' })
  await page.getByText('At least 1,000 animals were deleted').waitFor({ timeout: 2_000 })
  await assertAccessible(page, 'an import that was undone')
  await undoing.getByRole('button', { name: 'Close' }).click()
  await imports.waitFor({ state: 'detached' })
  await eventually(async () => assert.equal(await page.locator(':focus').textContent(), 'Activity'))
  await eventually(async () => assert.equal(await storage.pets.count({}), 3n))
})

browserTest('an undo that is not made leaves the result, whose rejected rows can be saved', async (t, open) => {
  const { origin, key, storage } = await startApp(t)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  const dialog = page.getByRole('dialog', { name: 'Import animals' })
  const buffer = Buffer.from('name,categoryId,status\nRex,1,available\nTom,1,lost\n')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog.getByLabel('File').setInputFiles({ ...file, buffer })
  await dialog.getByText('animals.csv: 2 rows').waitFor()
  await dialog.getByRole('button', { name: 'Next' }).click()
  await dialog.getByRole('button', { name: 'Next' }).click()
  await dialog.getByRole('button', { name: 'Import 1 animal' }).click()
  await dialog.getByText('1 row was rejected.').waitFor()
  const undoing = page.getByRole('dialog', { name: 'Undo this import' })

  for (const leave of [() => page.keyboard.press('Escape'), () => undoing.getByText('Cancel').click()]) {
    await dialog.getByRole('button', { name: 'Undo this import' }).click()
    await undoing.waitFor()
    await leave()
    await undoing.waitFor({ state: 'detached' })
    assert.equal(await dialog.getByText('1 row was rejected.').count(), 1)
  }

  const saving = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save the missing rows' }).click()
  assert.equal((await saving).suggestedFilename(), 'animals-rejected.csv')
  assert.equal(await storage.pets.count({}), 1n)
  await dialog.getByRole('button', { name: 'Undo this import' }).click()
  await undoing.getByRole('button', { name: 'Delete 1 animal' }).click()
  await undoing.getByText('1 animal was deleted.').waitFor()
  await undoing.getByRole('button', { name: 'Close' }).click()
  await dialog.waitFor({ state: 'detached' })
})

browserTest('an undo is stopped after a call, says what it has removed, and goes on', async (t, open) => {
  const { origin, key, storage, send } = await startApp(t)
  const many = Array.from({ length: 2_500 }, (_none, at) => `Pet ${at},1\n`).join('')
  const headers = { 'content-type': 'text/csv' }
  await send('/v1/pets/import', { method: 'POST', headers, body: `name,categoryId\n${many}` })
  const { page } = await open({ key })
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let calls = 0
  await page.route('**/undo*', async (route) => {
    calls++
    if (calls === 1) {
      asked.resolve()
      await released.promise
    }
    await route.fallback()
  })
  await page.goto(`${origin}/#/activity`)
  await page.getByRole('button', { name: 'Undo this import' }).click()
  const undoing = page.getByRole('dialog', { name: 'Undo this import' })

  await undoing.getByRole('button', { name: 'Delete 2,500 animals' }).click()
  await asked.promise
  await undoing.getByRole('button', { name: 'Stop' }).press('Enter')
  await undoing.getByRole('button', { name: 'Stopping…' }).and(page.locator(':focus')).waitFor()
  released.resolve()

  await undoing.getByText('1,000 animals were deleted. The others are still there.').waitFor()
  await assertAccessible(page, 'an undo that was stopped')
  assert.equal(calls, 1)
  assert.equal(await storage.pets.count({}), 1_500n)
  await undoing.getByRole('button', { name: 'Close' }).click()
  // The import is still listed, and its undo starts anew.
  await page.getByRole('button', { name: 'Undo this import' }).click()
  await undoing.getByRole('button', { name: 'Delete 2,500 animals' }).click()
  await undoing.getByText('1,500 animals were deleted.').waitFor()
  assert.equal(await storage.pets.count({}), 0n)
})

browserTest('a key that may only read is offered no undo', async (t, open) => {
  const { origin, makeKey, send } = await startApp(t)
  const headers = { 'content-type': 'text/csv' }
  await send('/v1/pets/import', { method: 'POST', headers, body: 'name,categoryId\nRex,1\n' })
  const { secret: key } = await makeKey({ permission: 'read' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/activity`)

  await page.getByText('Rex was added').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Undo this import' }).count(), 0)
})

browserTest('an import whose page was closed in the middle is named as a part of its file', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  const dialog = page.getByRole('dialog', { name: 'Import animals' })
  async function check(count: string) {
    await dialog.getByText(`animals.csv: ${count} rows`).waitFor()
    await dialog.getByRole('button', { name: 'Next' }).click()
    await dialog.getByRole('button', { name: 'Next' }).click()
    await dialog.getByText(`${count} ready, 0 problems`).waitFor()
  }
  // All that a page sends that is closed after its first request.
  const begun = Buffer.from(file.buffer.toString().split('\n').slice(0, 1_001).join('\n'))
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog.getByLabel('File').setInputFiles({ ...file, buffer: begun })
  await check('1,000')
  await dialog.getByRole('button', { name: 'Import 1,000 animals' }).click()
  await dialog.getByText('1,000 animals were added.').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await dialog.getByLabel('File').setInputFiles(file)
  await check('1,200')

  await dialog
    .getByRole('alert')
    .getByText(/1,000 of these animals were imported before: .+, by test\./)
    .waitFor()
})
