import assert from 'node:assert/strict'
import { startApp } from '../support/app.ts'
import { browserTest, eventually, holdTimers } from '../support/browser.ts'

browserTest('the sheet of an animal tells what changed, who changed it, and shows older changes', async (t, open) => {
  const { origin, key, create, sendJson, storage, makeKey } = await startApp(t)
  const { secret } = await makeKey({ name: 'Ada' })
  const ada = { authorization: `Bearer ${secret}` }
  await storage.categories.put({ id: 1n, name: 'Dogs' })
  await storage.categories.put({ id: 2n, name: 'Cats' })
  await create({ name: 'Rex', categoryId: 1, status: 'available' })
  for (const name of ['A', 'B', 'C']) await sendJson('PATCH /v1/pets/1', { name })
  await sendJson('POST /v1/store/orders', { petId: 1 }, ada)
  await sendJson('PATCH /v1/store/orders/1', { status: 'cancelled' }, ada)
  await sendJson('PATCH /v1/pets/1', { name: 'Max', categoryId: 2, status: null }, ada)
  const { page } = await open({ key })

  await page.goto(`${origin}/#/animals?animal=1`)

  const entries = page.locator('.history li')
  await entries.first().waitFor()
  const texts = async () => (await entries.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim())
  await eventually(async () => {
    const shown = await texts()
    assert.equal(shown.length, 5)
    assert.match(
      shown[0] ?? '',
      /^Name: from C → to Max Category: from Dogs → to Cats Status: from Available → to No status by Ada, today, /,
    )
    assert.match(shown[1] ?? '', /^Order 1 cancelled Status: from Pending → to Available by Ada, /)
    assert.match(shown[2] ?? '', /^Order 1 placed Status: from Available → to Pending by Ada, /)
    assert.match(shown[4] ?? '', /^Name: from A → to B by test, /)
  })

  await page.getByRole('button', { name: 'Show older changes' }).click()
  await entries.nth(6).waitFor()
  await eventually(async () => assert.match((await texts())[6] ?? '', /^Added by test, /))
  assert.equal(await page.getByRole('button', { name: 'Show older changes' }).count(), 0)
  assert.equal(await page.getByRole('button', { name: /^Undo/ }).count(), 0)
})

browserTest('a change is undone in its notice and in the history', async (t, open) => {
  const { origin, key, create, storage } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  const tab = await open({ key })
  const { page } = tab
  // The notice stays until it was used.
  await holdTimers(tab, 8_000)
  const name = async () => (await storage.pets.find(1n))?.name
  await page.goto(`${origin}/#/animals?animal=1`)
  await page.getByText('Live', { exact: true }).waitFor()
  const sheet = page.getByRole('dialog')

  await sheet.getByLabel('Name').fill('Max')
  await page.keyboard.press('Enter')
  await page.getByText('Max was saved').waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('Rex is as it was before').waitFor()
  await eventually(async () => assert.equal(await name(), 'Rex'))

  await page.locator('tbody a').first().click()
  await sheet.getByText('Name: from Max').waitFor()
  await sheet.getByRole('button', { name: 'Undo the last change' }).press('Enter')
  await sheet.getByText('Name: from Rex').nth(1).waitFor()
  await eventually(async () => assert.equal(await name(), 'Max'))
  await eventually(async () => assert.equal(await sheet.getByLabel('Name').inputValue(), 'Max'))
  assert.equal(await sheet.getByText('Somebody changed').count(), 0)
})

browserTest('a change is not undone when somebody changed the animal since', async (t, open) => {
  const { origin, key, create, sendJson, storage } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  const tab = await open({ key })
  const { page } = tab
  // The notice stays until it was used.
  await holdTimers(tab, 8_000)
  // Without the stream the page does not learn of the change before it asks.
  await page.route('**/v1/events', (route) => route.abort())
  await page.goto(`${origin}/#/animals?animal=1`)
  const sheet = page.getByRole('dialog')

  await sheet.getByLabel('Name').fill('Max')
  await page.keyboard.press('Enter')
  await page.getByText('Max was saved').waitFor()
  await sendJson('PATCH /v1/pets/1', { status: 'sold' })
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByText('Somebody changed Max since: nothing was undone').waitFor()

  await page.locator('tbody a').first().click()
  await sheet.getByRole('button', { name: 'Undo the last change' }).waitFor()
  await sendJson('PATCH /v1/pets/1', { status: 'pending' })
  await sheet.getByRole('button', { name: 'Undo the last change' }).click()
  await sheet.getByText('Somebody changed this animal since: nothing was undone.').waitFor()
  assert.deepEqual(await storage.pets.find(1n), { id: 1n, name: 'Max', categoryId: 1n, status: 'pending' })
})
