import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { startApp } from '../support/app.ts'
import { assertAccessible } from '../support/axe.ts'
import { browserTest, eventually, holdTimers, loseResponses } from '../support/browser.ts'

const names = ['Rex', 'بسبوسة', '犬のポチ', 'Мурка', '<b>Tom</b>', 'x'.repeat(1_000)]

browserTest('chosen animals are changed and deleted at once, and those that failed are reported', async (t, open) => {
  const { origin, key, storage } = await startApp(t)
  for (const name of names) await storage.pets.create({ name, categoryId: 1n, status: 'available' })
  await storage.orders.place({ petId: 1n })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)

  await page.getByLabel('Choose all animals on this page').check()
  await page.getByText('6 animals chosen').waitFor()
  await assertAccessible(page, 'animals')
  await page.getByRole('button', { name: 'Change status…' }).click()
  await page.getByLabel('Sold').check({ force: true })
  await page.getByRole('button', { name: 'Change status', exact: true }).click()

  await page.getByText('1 animal stayed as before').waitFor()
  await page.getByText('Rex (1): The animal has an open order').waitFor()
  await assertAccessible(page, 'animals')
  assert.equal(await storage.pets.count({ status: 'sold' }), 5n)
  await page.getByRole('dialog').getByText('Close', { exact: true }).click()
  await page.getByText('1 animal chosen').waitFor()
  await page.getByRole('button', { name: 'Choose none' }).click()

  await page.getByLabel('Choose Мурка').check()
  await page.getByLabel('Choose <b>Tom</b>').check()
  await page.getByRole('button', { name: 'Change category…' }).click()
  await page.getByLabel('New category').fill('7')
  await page.getByRole('button', { name: 'Change category', exact: true }).click()
  await page.getByText('2 animals were changed').waitFor()
  assert.equal(await storage.pets.count({ categoryId: 7n }), 2n)

  await page.getByLabel('Choose Мурка').check()
  await page.getByLabel('Choose 犬のポチ').check()
  await storage.pets.remove(3n)
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete for good' }).click()
  await eventually(async () => assert.equal(await storage.pets.count({}), 4n))
})

browserTest('a bulk change is undone, except where somebody changed an animal since', async (t, open) => {
  const { origin, key, storage, sendJson } = await startApp(t)
  for (const status of ['available', 'pending', undefined] as const) {
    await storage.pets.create({ name: 'Rex', categoryId: 1n, ...(status && { status }) })
  }
  const tab = await open({ key })
  const { page } = tab
  // The notice stays until it was used.
  await holdTimers(tab, 8_000)
  await page.goto(`${origin}/#/animals`)
  await page.getByLabel('Choose all animals on this page').check()
  await page.getByRole('button', { name: 'Change status…' }).click()
  await page.getByLabel('Sold').check({ force: true })
  await page.getByRole('button', { name: 'Change status', exact: true }).click()
  await page.getByText('3 animals were changed').waitFor()

  await sendJson('PATCH /v1/pets/1', { name: 'Max' })
  await page.getByRole('button', { name: 'Undo' }).click()

  await page.getByText('2 animals are as before. 1 animal stays as now: somebody changed them since').waitFor()
  assert.equal((await storage.pets.find(1n))?.status, 'sold')
  assert.equal((await storage.pets.find(2n))?.status, 'pending')
  assert.equal((await storage.pets.find(3n))?.status, undefined)
})

browserTest('animals are chosen by Shift and a click, and stay chosen on other pages', async (t, open) => {
  const { origin, key, storage, send } = await startApp(t)
  await storage.imports.add(Array.from({ length: 30 }, (_none, at) => ({ name: `Pet ${at + 1}`, categoryId: 1n })))
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  const box = (id: number) => page.getByLabel(`Choose Pet ${id}`, { exact: true })

  await box(3).check()
  await box(7).click({ modifiers: ['Shift'] })
  await page.getByText('5 animals chosen').waitFor()
  // A box that was ticked has the focus and takes no letters.
  await page.keyboard.press(']')
  await box(21).check()
  await page.getByText('6 animals chosen, 5 on other pages').waitFor()
  await page.getByRole('link', { name: 'Previous' }).click()
  await page.getByText('6 animals chosen, 1 on other pages').waitFor()
  await eventually(async () => assert.equal(await box(5).isChecked(), true))
  await box(7).click()
  await box(6).click({ modifiers: ['Shift'] })
  await page.getByText('4 animals chosen').waitFor()
  await page.getByRole('button', { name: 'Change category…' }).click()
  await page.getByLabel('New category').fill('7')
  await page.getByRole('button', { name: 'Change category', exact: true }).click()

  await page.getByText('4 animals were changed').waitFor()
  const changed = (await send('/v1/pets?categoryId=7')).body as { id: number }[]
  assert.deepEqual(
    changed.map(({ id }) => id),
    [3, 4, 5, 21],
  )
})

browserTest('a bulk change whose responses are lost tells what became of each animal', async (t, open) => {
  const { origin, key, storage } = await startApp(t)
  for (const name of ['Rex', 'Tom']) await storage.pets.create({ name, categoryId: 1n, status: 'available' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  await loseResponses(page, 'PATCH', '**/v1/pets/*', 2)
  await page.getByLabel('Choose all animals on this page').check()
  await page.getByRole('button', { name: 'Change status…' }).click()
  await page.getByLabel('Sold').check({ force: true })
  // Of the animals, only Rex can be read again.
  let isTomReadable = false
  await page.route('**/v1/pets?id=2', (route) => (isTomReadable ? route.fallback() : route.abort()))
  await page.getByRole('button', { name: 'Change status', exact: true }).click()

  await page.getByText('1 animal was changed').waitFor()
  await page.getByText('1 animal may have been changed or not').waitFor()
  await page.getByText('Tom (2): The service cannot be reached').waitFor()
  isTomReadable = true
  await page.getByRole('button', { name: 'Try it again' }).click()

  await page.getByRole('dialog').waitFor({ state: 'detached' })
  assert.equal(await storage.pets.count({ status: 'sold' }), 2n)
})

browserTest('a key that may only read chooses nothing, and exports what is filtered', async (t, open) => {
  const { origin, storage, makeKey } = await startApp(t)
  await storage.imports.add(
    Array.from({ length: 500 }, (_none, at) => ({ name: `Pet ${at}`, categoryId: BigInt(at % 2) })),
  )
  const { secret: key } = await makeKey({ permission: 'read' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals?category=1`)

  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByText('All animals that match the filters').waitFor()
  await assertAccessible(page, 'animals')
  await page.getByLabel('CSV', { exact: true }).check({ force: true })
  const downloading = page.waitForEvent('download')
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click()
  const download = await downloading

  assert.match(download.suggestedFilename(), /^animals-\d{4}-\d\d-\d\d-1\.csv$/)
  const lines = (await text(await download.createReadStream())).split('\n')
  assert.equal(lines.length, 252)
  assert.equal(lines[1], '2,Pet 1,1,')
  assert.equal(await page.getByRole('checkbox').count(), 0)
})

browserTest('the categories to choose from are seen whole, and only their list scrolls', async (t, open) => {
  const { origin, key, storage } = await startApp(t)
  await storage.pets.create({ name: 'Rex', categoryId: 1n })
  for (let id = 1n; id <= 12n; id++) await storage.categories.put({ id, name: `Kind ${id}` })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  await page.getByLabel('Choose Rex').check()
  await page.getByRole('button', { name: 'Change category…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change 1 animal' })
  const heading = dialog.getByRole('heading')
  const top = (await heading.boundingBox())?.y
  await dialog.getByLabel('New category').fill('Kind')
  await dialog.getByRole('option').nth(9).waitFor()

  for (let count = 1; count <= 10; count++) {
    await page.keyboard.press('ArrowDown')
    const isSeen = `(() => {
      const { left, top, bottom } = document.querySelector('[aria-selected=true]').getBoundingClientRect()
      return [top + 3, bottom - 3].every((y) => document.elementFromPoint(left + 20, y).closest('[aria-selected=true]'))
    })()`
    await eventually(async () => assert.equal(await page.evaluate(isSeen), true))
  }

  assert.equal((await heading.boundingBox())?.y, top)
})
