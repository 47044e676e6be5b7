import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { startApp } from '../support/app.ts'
import { browserTest, eventually } from '../support/browser.ts'
import { fillShop } from '../support/shop.ts'

async function showsNames(page: Page, names: readonly string[]): Promise<void> {
  await eventually(async () => assert.deepEqual(await page.locator('td.name a').allInnerTexts(), names))
}

browserTest('the heads of number and name sort the animals, by mouse, keyboard and address', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  for (const name of ['Mia', 'Rex', 'Ada']) await create({ name, categoryId: 1 })
  const { page } = await open({ key })
  const sortOf = (name: string) => page.getByRole('columnheader', { name }).getAttribute('aria-sort')
  await page.goto(`${origin}/#/animals`)
  await showsNames(page, ['Mia', 'Rex', 'Ada'])
  await eventually(async () => assert.deepEqual([await sortOf('Number'), await sortOf('Name')], ['ascending', null]))

  await page.getByRole('link', { name: 'Number' }).click()
  await showsNames(page, ['Ada', 'Rex', 'Mia'])
  await eventually(async () => assert.equal(await sortOf('Number'), 'descending'))

  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await showsNames(page, ['Ada', 'Mia', 'Rex'])
  await eventually(async () => assert.deepEqual([await sortOf('Number'), await sortOf('Name')], [null, 'ascending']))
  await page.keyboard.press('Enter')
  await showsNames(page, ['Rex', 'Mia', 'Ada'])
  await eventually(async () => assert.equal(await sortOf('Name'), 'descending'))

  assert.equal(page.url(), `${origin}/#/animals?sort=-name`)
  await page.reload()
  await showsNames(page, ['Rex', 'Mia', 'Ada'])
  await page.goBack()
  await showsNames(page, ['Ada', 'Mia', 'Rex'])
})

browserTest('another sort starts at its first page', async (t, open) => {
  const { origin, key, storage } = await startApp(t)
  await fillShop(storage, 22)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  await page.getByRole('link', { name: 'Next' }).click()
  await page.getByText('Page 2 · 22 animals').waitFor()

  await page.getByRole('link', { name: 'Number' }).click()

  await page.getByText('Page 1 · 22 animals').waitFor()
  await eventually(async () => assert.equal(await page.locator('td.number').first().innerText(), '22'))
})

browserTest('a phone sorts by a list of choices', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  for (const name of ['Mia', 'Rex', 'Ada']) await create({ name, categoryId: 1 })
  const { page } = await open({ key, viewport: { width: 390, height: 780 } })
  await page.goto(`${origin}/#/animals`)

  await page.getByLabel('Sort by').selectOption('Name, A to Z')

  await showsNames(page, ['Ada', 'Mia', 'Rex'])
  await page.goBack()
  await showsNames(page, ['Mia', 'Rex', 'Ada'])
  await eventually(async () => assert.equal(await page.getByLabel('Sort by').inputValue(), 'id'))
})

browserTest('too many animals to sort by name are sorted by number, and the page says what helps', async (t, open) => {
  const { origin, key, storage } = await startApp(t)
  for (const count of [7_000, 7_000, 6_001]) await fillShop(storage, count)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)

  await page.getByRole('link', { name: 'Name', exact: true }).click()

  const notice = page.getByRole('alert').getByText('Choose a status or a category')
  await notice.waitFor()
  assert.equal(page.url(), `${origin}/#/animals`)
  await eventually(async () =>
    assert.equal(await page.getByRole('columnheader', { name: 'Number' }).getAttribute('aria-sort'), 'ascending'),
  )
  await page.getByRole('link', { name: 'Sold' }).click()
  await notice.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Name', exact: true }).click()
  await showsNames(
    page,
    Array.from({ length: 20 }, () => 'Björk'),
  )
})
