import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { startApp } from '../support/app.ts'
import { browserTest, eventually } from '../support/browser.ts'

async function add(page: Page, category: string): Promise<void> {
  await page.getByLabel('Name').fill('Rex')
  await page.getByRole('dialog').getByLabel('Category').fill(category)
  await page.getByRole('button', { name: 'Add', exact: true }).click()
}

browserTest('a name that means several categories is refused until one is meant', async (t, open) => {
  const { origin, key, storage, send } = await startApp(t)
  await storage.categories.put({ id: 1n, name: 'Cats' })
  await storage.categories.put({ id: 2n, name: 'cats' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals?animal=new`)

  await page.getByRole('dialog').getByLabel('Category').fill('CATS')
  await page.keyboard.press('Tab')
  await page.getByText('Several categories are called that').waitFor()
  await add(page, 'cats')

  await page.getByText('Rex was added').waitFor()
  assert.match((await send('/v1/pets')).text, /"categoryId":2,/)
})

browserTest('an animal stays in its category if another has the same name', async (t, open) => {
  const { origin, key, storage, create, send } = await startApp(t)
  await storage.categories.put({ id: 1n, name: 'Cats' })
  await storage.categories.put({ id: 2n, name: 'Cats' })
  await create({ name: 'Rex', categoryId: 2 })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals?animal=1`)

  await eventually(async () =>
    assert.equal(await page.getByRole('dialog').getByLabel('Category').inputValue(), 'Cats (#2)'),
  )
  await page.getByLabel('Name').fill('Max')
  await page.getByRole('button', { name: 'Save' }).click()

  await page.getByText('Max was saved').waitFor()
  assert.equal((await send('/v1/pets')).text, '[{"id":1,"name":"Max","categoryId":2}]')
})

browserTest('categories beyond the first 500 are shown with their names', async (t, open) => {
  const { origin, key, storage, create } = await startApp(t)
  for (let id = 1n; id <= 501n; id++) await storage.categories.put({ id, name: `Kind ${id}` })
  await create({ name: 'Rex', categoryId: 501 })
  const { page } = await open({ key })

  await page.goto(`${origin}/#/animals`)
  await page.locator('td.category', { hasText: 'Kind 501' }).waitFor()
  await page.getByLabel('Category').fill('500')
  await page.getByRole('option', { name: 'Kind 500' }).first().click()
  await page.getByText('No animal matches').waitFor()
  await page.getByLabel('Category').fill('501 ki')
  await page.getByRole('option', { name: 'Kind 501' }).click()
  await page.getByRole('link', { name: 'Rex' }).waitFor()
  await page.getByRole('link', { name: 'Categories' }).click()
  await page.getByText('there are more').waitFor()
})

browserTest('Tab leaves an open list of categories for the next field', async (t, open) => {
  const { origin, key, storage } = await startApp(t)
  for (let id = 1n; id <= 20n; id++) await storage.categories.put({ id, name: `Kind ${id}` })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals?animal=new`)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Category').click()
  const list = page.getByRole('listbox')
  await list.waitFor()
  // A list that scrolls would be a stop of its own.
  assert.equal(await list.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight), true)

  await page.keyboard.press('Tab')

  await dialog.getByRole('radio').and(page.locator(':focus')).waitFor()
  assert.equal(await list.count(), 0)
})

browserTest('a category is found by part of its name and chosen by keyboard', async (t, open) => {
  const { origin, key, storage, create, send } = await startApp(t)
  await storage.categories.put({ id: 1n, name: 'Large dogs' })
  await storage.categories.put({ id: 2n, name: 'Small dogs' })
  await create({ name: 'Max', categoryId: 2 })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals?animal=new`)
  const box = page.getByRole('dialog').getByRole('combobox', { name: 'Category' })
  await page.getByLabel('Name').fill('Rex')

  await box.fill('dög')
  await page.getByRole('option', { name: 'Small dogs 1 animal' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await eventually(async () =>
    assert.match(await page.getByRole('listbox').getByRole('option', { selected: true }).innerText(), /^Small dogs/),
  )
  await page.keyboard.press('Escape')
  await page.getByRole('listbox').getByRole('option').first().waitFor({ state: 'detached' })
  await eventually(async () => assert.equal(await box.inputValue(), 'dög'))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await eventually(async () => assert.equal(await box.inputValue(), 'Small dogs'))
  await page.keyboard.press('Enter')

  await page.getByText('Rex was added').waitFor()
  assert.match((await send('/v1/pets?id=2')).text, /"categoryId":2/)
})

browserTest('a category is created where it is needed', async (t, open) => {
  const { origin, key, create, send } = await startApp(t)
  await create({ name: 'Max', categoryId: 7 })
  const { page, requests } = await open({ key })
  await page.goto(`${origin}/#/animals?animal=new`)

  await page.getByRole('dialog').getByLabel('Category').fill('Hounds')
  await page.getByRole('option', { name: 'Create category «Hounds»' }).dblclick()
  await eventually(async () =>
    assert.equal(await page.getByRole('dialog').getByLabel('Category').getAttribute('aria-expanded'), 'false'),
  )
  await page.getByLabel('Name').fill('Rex')
  await page.getByRole('button', { name: 'Add', exact: true }).click()

  await page.getByText('Rex was added').waitFor()
  assert.match((await send('/v1/pets?id=2')).text, /"categoryId":8/)
  assert.equal((await send('/v1/categories')).text, '[{"id":8,"name":"Hounds"}]')
  assert.equal(requests.filter((request) => request === 'POST /v1/categories').length, 1)
})

browserTest('a category without a name is found by what it is called, and not created again', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/categories`)

  const searched = page.waitForResponse((response) => new URL(response.url()).searchParams.get('name') === 'Category 1')
  await page.getByLabel('Find or create a category').fill('Category 1')
  await page.getByRole('option', { name: 'Category 1', exact: true }).waitFor()
  await searched
  await page.getByRole('status').filter({ hasText: 'Searching' }).waitFor({ state: 'detached' })
  assert.equal(await page.getByRole('option', { name: /Create/ }).count(), 0)
})

browserTest('a service without categories still takes a number', async (t, open) => {
  const { origin, key, send } = await startApp(t, { minStability: 'stable' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals?animal=new`)

  await page.getByRole('dialog').getByLabel('Category').fill('7')
  await page.getByRole('option', { name: 'Category 7' }).click()
  await add(page, '7')

  await page.getByText('Rex was added').waitFor()
  assert.match((await send('/v1/pets')).text, /"categoryId":7/)
})

browserTest('renaming says what keeps the category, and one without animals can be removed', async (t, open) => {
  const { origin, key, storage, create, send } = await startApp(t)
  await storage.categories.put({ id: 1n, name: 'Dogs' })
  await storage.categories.put({ id: 2n, name: 'Dragons' })
  await create({ name: 'Rex', categoryId: 1 })
  await create({ name: 'Max', categoryId: 1 })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/categories`)
  const remove = page.getByRole('button', { name: 'Remove it' })

  await page.getByRole('button', { name: 'Dogs' }).click()
  await page.getByText('2 animals have this category').waitFor()
  assert.equal(await remove.count(), 0)
  await page.getByLabel('Name').fill('Hounds')
  await page.getByText('Rename «Dogs» to «Hounds»: 2 animals keep it.').waitFor()
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByText('Dogs is now called Hounds').waitFor()

  await page.getByLabel('Find or create a category').fill('dra')
  await page.getByRole('option', { name: 'Dragons' }).click()
  await remove.waitFor()
  await page.route('**/v1/categories/2', async (route) => {
    await create({ name: 'Smaug', categoryId: 2 })
    await route.fallback()
  })
  await remove.click()
  await page.getByRole('alert').getByText('An animal has this category.').waitFor()
  await send('/v1/pets/3', { method: 'DELETE' })
  await page.unrouteAll()
  await remove.click()

  await page.getByText('Dragons was removed').waitFor()
  assert.equal((await send('/v1/categories')).text, '[{"id":1,"name":"Hounds"}]')
})

browserTest('a category that is created or renamed shows in the table at once', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/categories`)
  const field = page.getByLabel('Find or create a category')
  const rowOf = (name: string) => page.locator('.category-table').getByRole('link', { name, exact: true })

  await field.fill('Fish')
  await page.getByRole('option', { name: 'Create category «Fish»' }).waitFor()
  await field.press('Enter')
  await page.getByText('Category Fish was created').waitFor()
  await rowOf('Fish').waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
  assert.equal(await field.inputValue(), '')

  await page.getByRole('button', { name: 'Fish' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Perch')
  await page.getByRole('button', { name: 'Rename' }).click()
  await rowOf('Perch').waitFor()
})

browserTest('a name that another category has is asked about first', async (t, open) => {
  const { origin, key, storage, send } = await startApp(t)
  await storage.categories.put({ id: 1n, name: 'Dogs' })
  await storage.categories.put({ id: 2n, name: 'Cats' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/categories`)

  await page.getByRole('button', { name: 'Dogs' }).click()
  await page.getByLabel('Name', { exact: true }).fill('cats')
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByText('Another category is called that already. Rename anyway?').waitFor()
  assert.match((await send('/v1/categories/1')).text, /"Dogs"/)
  await page.getByRole('button', { name: 'Rename anyway' }).click()

  await page.getByText('Dogs is now called cats').waitFor()
  assert.match((await send('/v1/categories/1')).text, /"cats"/)
})

browserTest('Enter closes the list of categories, so that the message below it is seen', async (t, open) => {
  const { origin, key, storage } = await startApp(t)
  await storage.categories.put({ id: 1n, name: 'Fish' })
  await storage.categories.put({ id: 2n, name: 'Fish' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/categories`)
  const field = page.getByLabel('Find or create a category')

  await field.fill('Fish')
  await page.getByRole('option', { name: 'Fish (#2)' }).waitFor()
  await field.press('Enter')

  await page.getByText('Several categories are called that: choose one.').waitFor()
  await eventually(async () => assert.equal(await page.getByRole('option').count(), 0))
})

browserTest('a category that somebody else creates has its name in all views', async (t, open) => {
  const { origin, key, create, storage, sendJson } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  await storage.categories.put({ id: 1n, name: 'Cats' })
  const { page, requests } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  await page.getByRole('row', { name: 'Rex' }).getByRole('cell', { name: 'Cats', exact: true }).waitFor()
  await page.getByText('Live', { exact: true }).waitFor()

  await storage.categories.put({ id: 2n, name: 'Dogs' })
  await create({ name: 'Tom', categoryId: 2 })
  await page.getByRole('row', { name: 'Tom' }).getByRole('cell', { name: 'Dogs', exact: true }).waitFor()

  // One that has no name is read once.
  requests.length = 0
  await create({ name: 'Mia', categoryId: 3 })
  await page.getByRole('row', { name: 'Mia' }).getByRole('cell', { name: 'Category 3', exact: true }).waitFor()
  await eventually(async () => assert.equal(requests.filter((request) => request.includes('/categories')).length, 1))
  await sendJson('PATCH /v1/pets/1', { name: 'Max' })
  await page.getByRole('row', { name: 'Max' }).waitFor()
  assert.equal(requests.filter((request) => request.includes('/categories')).length, 1)
  // What a view reads by itself is known to the others.
  await storage.categories.put({ id: 3n, name: 'Fish' })
  await page.getByRole('link', { name: 'Stock', exact: true }).click()
  await page.locator('.by-category').getByText('Fish').waitFor()
  await page.getByRole('link', { name: 'Animals', exact: true }).click()
  await page.getByRole('row', { name: 'Mia' }).getByRole('cell', { name: 'Fish', exact: true }).waitFor()
})
