import assert from 'node:assert/strict'
import { startApp } from '../support/app.ts'
import { assertAccessible } from '../support/axe.ts'
import { browserTest } from '../support/browser.ts'

browserTest('all animals that match are changed part by part; a lost response is safe to repeat', async (t, open) => {
  const { origin, key, storage, sendJson } = await startApp(t)
  const imported = Array.from({ length: 2_300 }, (_none, at) => ({
    name: `Pet ${at}`,
    categoryId: at % 2 === 0 ? 1n : 2n,
    status: 'available' as const,
  }))
  await storage.imports.add(imported.slice(0, 1_000))
  await storage.imports.add(imported.slice(1_000, 2_000))
  await storage.imports.add(imported.slice(2_000))
  await sendJson('POST /v1/store/orders', { petId: 1 })
  const { page, requests } = await open({ key })
  await page.goto(`${origin}/#/animals?category=1`)
  // All attempts of the second call.
  let calls = 0
  await page.route('**/v1/pets/bulk', async (route) => {
    calls++
    if (calls < 2 || calls > 4) return route.fallback()
    await route.fetch()
    await route.abort()
  })

  await page.getByLabel('Choose all animals on this page').check()
  await page.getByRole('button', { name: 'Choose all 1,150 that match' }).click()
  await page.getByText('All 1,150 animals that match chosen').waitFor()
  await page.getByRole('button', { name: 'Change status…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change 1,150 animals' })
  await dialog.getByText('This cannot be undone.').waitFor()
  await dialog.getByLabel('Sold').check({ force: true })
  await dialog.getByRole('button', { name: 'Change status', exact: true }).click()

  await dialog.getByRole('alert').getByText('cannot be reached').waitFor()
  await dialog.getByText('999 animals were changed, 1 stayed as before. Up to 1,000 more may').waitFor()
  await assertAccessible(page, 'all animals that match')
  await dialog.getByRole('button', { name: 'Go on' }).click()
  await dialog.getByText('1,149 animals were changed, 1 stayed as before.', { exact: true }).waitFor()
  await dialog.getByText('Animal 1: The animal has an open order').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  assert.equal(await storage.pets.count({ status: 'sold' }), 1_149n)
  assert.equal(requests.filter((request) => request === 'POST /v1/pets/bulk').length, 5)
})

browserTest('all that match are chosen only as long as the choice stays', async (t, open) => {
  const { origin, key, storage } = await startApp(t)
  for (let id = 1; id <= 21; id++) await storage.pets.create({ name: 'Rex', categoryId: 1n, status: 'available' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals?category=1`)
  const wholePage = page.getByLabel('Choose all animals on this page')
  await wholePage.check()
  await page.getByRole('button', { name: 'Choose all 21 that match' }).click()
  await page.getByText('All 21 animals that match chosen').waitFor()

  await page.getByRole('button', { name: 'Choose none' }).click()
  await wholePage.check()

  await page.getByText('20 animals chosen').waitFor()
})

browserTest('a change of all that match ends with the view that shows it', async (t, open) => {
  const { origin, key, storage } = await startApp(t)
  const pets = Array.from({ length: 1_000 }, () => ({ name: 'Rex', categoryId: 1n, status: 'available' as const }))
  await storage.imports.add(pets)
  await storage.imports.add(pets)
  const { page, requests } = await open({ key })
  await page.goto(`${origin}/#/animals?category=1`)
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  await page.route('**/v1/pets/bulk', async (route) => {
    await left
    await route.fallback()
  })
  await page.getByLabel('Choose all animals on this page').check()
  await page.getByRole('button', { name: 'Choose all 2,000 that match' }).click()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete for good' }).click()
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor()

  await page.goto(`${origin}/#/stock`)
  await page.getByRole('heading', { name: 'Stock' }).waitFor()
  const answered = page.waitForResponse('**/v1/pets/bulk')
  leave()
  await (await answered).finished()
  // Longer than the page takes to begin another call.
  await page.evaluate('new Promise((resolve) => setTimeout(resolve, 300))')

  assert.equal(await storage.pets.count({}), 1_000n)
  assert.equal(requests.filter((request) => request === 'POST /v1/pets/bulk').length, 1)
})
