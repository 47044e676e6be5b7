import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { startApp } from '../support/app.ts'
import { browserTest, eventually } from '../support/browser.ts'

async function rowsOf(page: Page): Promise<string[][]> {
  const rows = await page.locator('.category-table tbody tr').allInnerTexts()
  return rows.map((row) => row.split(/[\t\n]+/))
}

browserTest('all categories are reached from the stock, found by name, and turned page by page', async (t, open) => {
  const { origin, key, create, storage } = await startApp(t)
  await storage.categories.put({ id: 1n, name: 'Dogs' })
  await storage.categories.put({ id: 2n, name: 'Grosse Hunde' })
  await storage.categories.put({ id: 3n, name: 'Grossvögel' })
  for (const status of ['available', 'available', 'sold', 'pending', undefined]) {
    await create({ name: 'Rex', categoryId: 1, ...(status !== undefined && { status }) })
  }
  for (let category = 100; category < 125; category++) await create({ name: 'Ant', categoryId: category })
  await create({ name: 'Bello', categoryId: 2, status: 'sold' })
  const { page, requests } = await open({ key })
  await page.goto(`${origin}/#/stock`)

  await page.getByRole('link', { name: 'All others' }).click()
  await page.getByRole('heading', { name: 'Categories', level: 1 }).waitFor()
  await eventually(async () => {
    const rows = await rowsOf(page)
    assert.deepEqual(
      [rows.length, ...rows.slice(0, 3)],
      [
        20,
        ['Dogs', '2', '1', '1', '1', '5'],
        ['Grosse Hunde', '0', '0', '1', '0', '1'],
        ['Grossvögel', '0', '0', '0', '0', '0'],
      ],
    )
  })
  assert.ok(requests.includes('GET /v1/store/inventory?sort=id&limit=20'), requests.join('\n'))
  await page.getByRole('link', { name: 'Next' }).click()
  await eventually(async () => assert.equal((await rowsOf(page)).length, 8))
  await page.getByText('Page 2').waitFor()

  await page.getByRole('link', { name: 'Largest first' }).click()
  await page.getByText('Categories without animals are not among them.').waitFor()
  await eventually(async () => {
    const rows = await rowsOf(page)
    assert.deepEqual([rows.length, rows[0]?.[0], rows[2]?.[0]], [20, 'Dogs', 'Category 100'])
  })
  await page.getByRole('link', { name: 'Next' }).click()
  await eventually(async () => assert.equal((await rowsOf(page)).length, 7))

  await page.getByRole('searchbox').fill('gross')
  await eventually(async () =>
    assert.deepEqual(await rowsOf(page), [
      ['Grosse Hunde', '0', '0', '1', '0', '1'],
      ['Grossvögel', '0', '0', '0', '0', '0'],
    ]),
  )
  assert.ok(requests.includes('GET /v1/store/inventory?name=gross&limit=20'), requests.join('\n'))
  await create({ name: 'Uhu', categoryId: 3, status: 'available' })
  await eventually(async () => assert.deepEqual((await rowsOf(page))[1], ['Grossvögel', '1', '0', '0', '0', '1']))
  await page.getByRole('searchbox').fill('cats')
  await page.getByRole('heading', { name: 'No category matches' }).waitFor()
  await page.getByRole('searchbox').fill('dogs')
  await eventually(async () => assert.equal((await rowsOf(page)).length, 1))
  await page.getByRole('searchbox').press('Enter')
  await page.getByRole('heading', { name: 'Animals' }).waitFor()
  assert.equal(new URL(page.url()).hash, '#/animals?category=1')
})

browserTest('on a phone the numbers of a category are below its name', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1, status: 'sold' })
  const { page } = await open({ key, viewport: { width: 320, height: 640 } })
  await page.goto(`${origin}/#/settings`)

  await page.getByRole('link', { name: 'Categories' }).click()

  await page.getByText('0 available · 0 pending · 1 sold', { exact: true }).waitFor()
  await create({ name: 'Tom', categoryId: 1 })
  await page.getByText('0 available · 0 pending · 1 sold · 1 no status', { exact: true }).waitFor()
  await eventually(async () => assert.ok(await page.locator('td.stock-count').first().isHidden()))
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320)
  const line = "document.querySelector('td .below')"
  assert.equal(await page.evaluate(`${line}.scrollWidth <= ${line}.clientWidth`), true, 'a number is cut off')
})

browserTest('a category that is sold out is found from the stock of a small shop', async (t, open) => {
  const { origin, key, create, storage } = await startApp(t)
  await storage.categories.put({ id: 2n, name: 'Cats' })
  await create({ name: 'Rex', categoryId: 1 })
  const { page } = await open({ key, viewport: { width: 320, height: 640 } })
  await page.goto(`${origin}/#/stock`)

  await page.getByRole('link', { name: 'All categories' }).click()

  await page.getByRole('row', { name: /^Cats/ }).waitFor()
})
