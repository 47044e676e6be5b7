import assert from 'node:assert/strict'
import { startApp } from '../support/app.ts'
import { assertAccessible } from '../support/axe.ts'
import { browserTest, eventually } from '../support/browser.ts'

browserTest('rows, page size and order of the lists are chosen, and remembered for each person', async (t, open) => {
  const { origin, key, storage, makeKey } = await startApp(t)
  await storage.imports.add(Array.from({ length: 60 }, (_none, at) => ({ name: `Pet ${at + 1}`, categoryId: 1n })))
  const { secret: otherKey } = await makeKey({ name: 'Ada' })
  const { page } = await open({ key })
  const rows = page.locator('tbody tr')
  const rowHeight = async () => (await rows.first().boundingBox())?.height ?? 0
  await page.goto(`${origin}/#/animals`)

  await rows.first().waitFor()
  assert.ok((await rowHeight()) >= 50)
  await page.getByLabel('a page').selectOption('50')
  await eventually(async () => assert.equal(await rows.count(), 50))
  await page.getByRole('link', { name: 'Number' }).click()
  await eventually(async () => assert.match((await rows.first().textContent()) ?? '', /Pet 60/))
  await page.goto(`${origin}/#/settings`)
  await page.getByLabel('Compact').check({ force: true })
  await assertAccessible(page, 'settings')

  await page.goto(`${origin}/#/animals`)
  await page.reload()
  await eventually(async () => assert.match((await rows.first().textContent()) ?? '', /Pet 60/))
  assert.equal(await rows.count(), 50)
  assert.ok((await rowHeight()) <= 37, `a compact row has ${await rowHeight()} px`)
  await assertAccessible(page, 'animals')
  assert.doesNotMatch(await page.evaluate('JSON.stringify(localStorage)'), new RegExp(key))

  // Somebody else at the same browser.
  await page.evaluate(`sessionStorage.clear()`)
  const other = await open({ key: otherKey })
  await other.page.goto(`${origin}/#/animals`)
  await other.page.locator('tbody tr').first().waitFor()
  assert.equal(await other.page.locator('tbody tr').count(), 20)
})

browserTest('rows are compact by themselves on a small laptop, and not on a phone', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1, status: 'available' })
  const { page } = await open({ key, viewport: { width: 1366, height: 650 } })
  await page.goto(`${origin}/#/animals`)
  const row = page.locator('tbody tr')
  await row.waitFor()

  assert.ok(((await row.boundingBox())?.height ?? 99) <= 37)
  await page.setViewportSize({ width: 390, height: 650 })
  assert.ok(((await row.boundingBox())?.height ?? 0) >= 44)
})

browserTest('the tabs of the statuses tell how many animals there are, live and of a category', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1, status: 'available' })
  await create({ name: 'Tom', categoryId: 2, status: 'sold' })
  await create({ name: 'Kim', categoryId: 2 })
  const { page } = await open({ key })
  const tabs = page.getByRole('navigation', { name: 'Status' })

  await page.goto(`${origin}/#/animals`)
  await eventually(async () => assert.equal(await tabs.textContent(), 'All 3Available 1Pending 0Sold 1No status 1'))
  await create({ name: 'Lea', categoryId: 2, status: 'pending' })
  await tabs.getByRole('link', { name: 'Pending 1' }).waitFor()
  await page.goto(`${origin}/#/animals?category=2`)
  await eventually(async () => assert.equal(await tabs.textContent(), 'All 3Available 0Pending 1Sold 1No status 1'))
  // Matches are not counted.
  await page.goto(`${origin}/#/animals?find=rex`)
  await eventually(async () => assert.equal(await tabs.textContent(), 'AllAvailablePendingSoldNo status'))
})
