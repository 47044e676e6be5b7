import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { startApp } from '../support/app.ts'
import { browserTest } from '../support/browser.ts'

async function add(page: Page, category: string): Promise<void> {
  await page.getByLabel('Name').fill('Rex')
  await page.getByRole('dialog').getByLabel('Category').fill(category)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
}

for (const [typed, id] of [
  ['Cats', 1],
  ['cats', 2],
] as const) {
  browserTest(`of two categories whose names differ only in case, ${typed} means ${id}`, async (t, open) => {
    const { origin, key, storage, send } = await startApp(t)
    await storage.categories.put({ id: 1n, name: 'Cats' })
    await storage.categories.put({ id: 2n, name: 'cats' })
    const { page } = await open({ key })
    await page.goto(`${origin}/#/animals?animal=new`)

    await page.getByRole('dialog').getByLabel('Category').fill('CATS')
    await page.getByText('Several categories are called that: type the number (1, 2).').waitFor()
    await add(page, typed)

    await page.getByText('Rex was added').waitFor()
    assert.match((await send('/v1/pets')).text, new RegExp(`"categoryId":${id},`))
  })
}

browserTest('an animal stays in its category if another has the same name', async (t, open) => {
  const { origin, key, storage, create, send } = await startApp(t)
  await storage.categories.put({ id: 1n, name: 'Cats' })
  await storage.categories.put({ id: 2n, name: 'Cats' })
  await create({ name: 'Rex', categoryId: 2 })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals?animal=1`)

  assert.equal(await page.getByRole('dialog').getByLabel('Category').inputValue(), 'Cats (#2)')
  await page.getByLabel('Name').fill('Max')
  await page.getByRole('button', { name: 'Save' }).click()

  await page.getByText('Max was saved').waitFor()
  assert.equal((await send('/v1/pets')).text, '[{"id":1,"name":"Max","categoryId":2}]')
})

for (const [typed, id] of [
  ['8', 8],
  ['8 (#5)', 5],
] as const) {
  browserTest(`with a category 5 that is called "8", ${typed} means ${id}`, async (t, open) => {
    const { origin, key, storage, send } = await startApp(t)
    await storage.categories.put({ id: 5n, name: '8' })
    const { page } = await open({ key })
    await page.goto(`${origin}/#/animals?animal=new`)
    await page.locator('#pet-categories option').waitFor({ state: 'attached' })

    await add(page, typed)

    await page.getByText('Rex was added').waitFor()
    assert.match((await send('/v1/pets')).text, new RegExp(`"categoryId":${id},`))
  })
}

browserTest('categories beyond the first 500 are shown with their names', async (t, open) => {
  const { origin, key, storage, create } = await startApp(t)
  for (let id = 1n; id <= 501n; id++) await storage.categories.put({ id, name: `Kind ${id}` })
  await create({ name: 'Rex', categoryId: 501 })
  const { page } = await open({ key })

  await page.goto(`${origin}/#/animals`)
  await page.locator('td.category', { hasText: 'Kind 501' }).waitFor()
  await page.getByLabel('Category').fill('Kind 777')
  await page.keyboard.press('Enter')
  await page.getByText('None of the first 500 categories is called that. Type its number.').waitFor()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByText('there are more').waitFor()
})

browserTest('a double click names a category once', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page, requests } = await open({ key })
  await page.goto(`${origin}/#/settings`)
  await page.getByLabel('Number').fill('1')
  await page.getByLabel('Is called').fill('Dogs')

  await page.getByRole('button', { name: 'Name it' }).dblclick()

  await page.getByText('Category 1 is called Dogs').waitFor()
  assert.equal(requests.filter((request) => request.startsWith('PUT ')).length, 1)
})
