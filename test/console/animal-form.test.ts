import assert from 'node:assert/strict'
import { startApp } from '../support/app.ts'
import { browserTest, eventually, holdTimers } from '../support/browser.ts'

const jsonHeaders = { headers: { 'content-type': 'application/json' } }

browserTest('a new animal is validated while it is typed', async (t, open) => {
  const { origin, key, send, storage } = await startApp(t)
  await storage.categories.put({ id: 9223372036854775807n, name: 'Кошки' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  await page.getByText('No animals yet').waitFor()
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog')

  await dialog.getByLabel('Name').fill('  ')
  await dialog.getByText('A name is more than white space.').waitFor()
  await dialog.getByLabel('Name').fill('x'.repeat(65_537))
  await dialog.getByText('A name this long cannot be sent').waitFor()
  await dialog.getByLabel('Name').fill('🐈'.repeat(1001))
  await dialog.getByText('A name this long').waitFor({ state: 'detached' })
  await dialog.getByLabel('Category').fill('9223372036854775808')
  await page.keyboard.press('Tab')
  await dialog.getByText('A category is a number from').waitFor()
  await dialog.getByLabel('Category').fill('кошки')
  await dialog.getByRole('option', { name: 'Кошки' }).click()
  await dialog.getByRole('radio', { name: 'Sold' }).check()
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()

  await page.getByText('was added with the number 1').waitFor()
  assert.equal(
    (await send('/v1/pets')).text,
    `[{"id":1,"name":"${'🐈'.repeat(1001)}","categoryId":9223372036854775807,"status":"sold"}]`,
  )
  await page.locator('tbody tr').waitFor()
})

browserTest(
  'an error of the service is shown beside its field, or at the end of the form if it is about several',
  async (t, open) => {
    const { origin, key } = await startApp(t)
    const { page } = await open({ key })
    const refused = ['name, categoryId', 'categoryId']
    await page.route('**/v1/pets', (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      const headers = { 'invalid-fields': refused.shift() ?? '' }
      return route.fulfill({
        status: 400,
        headers,
        json: { code: 'invalid_body', message: 'Choose others.', status: 400 },
      })
    })
    await page.goto(`${origin}/#/animals?animal=new`)

    await page.getByLabel('Name').fill('Rex')
    await page.getByRole('dialog').getByLabel('Category').fill('7')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'Choose others.' }).waitFor()
    await page.keyboard.press('Enter')

    await page.locator('#pet-category-note', { hasText: 'Choose others.' }).waitFor()
    await eventually(async () => assert.equal(await page.getByLabel('Name').inputValue(), 'Rex'))
  },
)

browserTest('a change sends only changed members, with If-Match', async (t, open) => {
  const { origin, key, create, send } = await startApp(t)
  await create('{"name":"Rex \\n2","categoryId":9007199254740993}')
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals?animal=1`)

  const asked = page.waitForRequest((request) => request.method() === 'PATCH')
  await page.getByRole('radio', { name: 'Pending' }).check()
  await page.getByRole('button', { name: 'Save' }).click()

  const request = await asked
  assert.equal(request.postData(), '{"status":"pending"}')
  assert.match(request.headers()['if-match'] ?? '', /^"[^"]+"$/)
  await page.getByText('was saved').waitFor()
  const after = '{"id":1,"name":"Rex \\n2","categoryId":9007199254740993,"status":"pending"}'
  assert.equal((await send('/v1/pets/1')).text, after)
})

browserTest('a concurrent change is reported, and the typed text is kept', async (t, open) => {
  const { origin, key, create, send } = await startApp(t, { minStability: 'beta' })
  await create({ name: 'Rex', categoryId: 1, status: 'available' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals?animal=1`)
  await page.getByLabel('Name').fill('Rexi')

  const body = '{"name":"Max","status":"sold","categoryId":2}'
  await send('/v1/pets/1', { method: 'PATCH', ...jsonHeaders, body })
  await page.getByRole('button', { name: 'Save' }).click()

  const notice = page.getByRole('dialog').getByRole('alert')
  await notice.getByText('Somebody changed this animal meanwhile').waitFor()
  await notice.getByText('The name is now Max').waitFor()
  await notice.getByText('The status is now sold').waitFor()
  await notice.getByText('The category is now Category 2').waitFor()
  await eventually(async () => assert.equal(await page.getByLabel('Name').inputValue(), 'Rexi'))
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Rexi was saved').waitFor()
  assert.equal((await send('/v1/pets/1')).text, '{"id":1,"name":"Rexi","categoryId":2,"status":"sold"}')
})

browserTest('concurrent changes that do not overlap are both saved, and an undo keeps the other', async (t, open) => {
  const { origin, key, create, send } = await startApp(t, { minStability: 'beta' })
  await create({ name: 'Rex', categoryId: 1, status: 'available' })
  const tab = await open({ key })
  const { page } = tab
  // The notice stays until it was used.
  await holdTimers(tab, 8_000)
  await page.goto(`${origin}/#/animals?animal=1`)
  await page.getByLabel('Name').fill('Max')

  await send('/v1/pets/1', { method: 'PATCH', ...jsonHeaders, body: '{"status":"sold"}' })
  await page.getByRole('button', { name: 'Save' }).click()

  await page.getByText('Max was saved').waitFor()
  assert.equal((await send('/v1/pets/1')).text, '{"id":1,"name":"Max","categoryId":1,"status":"sold"}')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Rex is as it was before').waitFor()
  assert.equal((await send('/v1/pets/1')).text, '{"id":1,"name":"Rex","categoryId":1,"status":"sold"}')
})

browserTest('an animal can be changed after getPet is removed', async (t, open) => {
  const { origin, key, create, send } = await startApp(t, { clock: () => Date.parse('2031-01-01') })
  await create({ name: 'Rex', categoryId: 1 })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals?animal=1`)

  await page.getByLabel('Name').fill('Max')
  await page.keyboard.press('Enter')

  await page.getByText('Max was saved').waitFor()
  assert.equal((await send('/v1/pets?id=1')).text, '[{"id":1,"name":"Max","categoryId":1}]')
})

browserTest('an animal is deleted after a while, unless that is undone', async (t, open) => {
  const { origin, key, create, send } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  const tab = await open({ key })
  const { page } = tab
  const endWait = await holdTimers(tab, 8_000)
  await page.goto(`${origin}/#/animals`)
  await page.getByRole('link', { name: 'Rex' }).click()

  await page.getByRole('button', { name: 'Delete this animal' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByText('Deleting Rex for good').waitFor()
  await page.keyboard.press('z')
  await page.getByText('Rex stays').waitFor()
  await endWait()
  assert.equal((await send('/v1/pets')).text, '[{"id":1,"name":"Rex","categoryId":1}]')
  await page.getByRole('link', { name: 'Rex' }).click()
  await page.getByRole('button', { name: 'Delete this animal' }).click()
  await page.getByText('Deleting Rex for good').waitFor()
  await endWait()

  await page.getByText('Rex was deleted').waitFor()
  assert.equal((await send('/v1/pets')).text, '[]')
  await page.getByText('No animals yet').waitFor()
})
