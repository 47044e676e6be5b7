import assert from 'node:assert/strict'
import { startApp } from '../support/app.ts'
import { assertAccessible } from '../support/axe.ts'
import { browserTest, eventually } from '../support/browser.ts'

browserTest('on a wide screen the list and an animal are beside each other', async (t, open) => {
  const { origin, key, create, send } = await startApp(t)
  for (const name of ['Rex', 'Tom', 'Kim']) await create({ name, categoryId: 1, status: 'available' })
  const { page } = await open({ key, viewport: { width: 1920, height: 1080 } })
  await page.goto(`${origin}/#/animals`)
  const dialog = page.getByRole('dialog')

  await page.getByRole('link', { name: 'Rex' }).click()
  await dialog.getByRole('heading', { name: 'Rex' }).waitFor()
  await assertAccessible(page, 'a list and an animal')
  const list = await page.getByRole('table').boundingBox()
  const pane = await dialog.boundingBox()
  assert.ok(list !== null && pane !== null && list.x + list.width <= pane.x, 'the pane is over the list')
  assert.ok(list.width > 1_200, 'the width is not used')
  // The list stays usable, and what is typed in the pane is kept.
  await dialog.getByLabel('Name').fill('Max')
  await page.getByRole('link', { name: 'Tom' }).click()
  await dialog.getByRole('heading', { name: 'Tom' }).waitFor()
  await page.getByRole('button', { name: 'Order Kim' }).click()
  await page.getByRole('button', { name: 'Place the order' }).click()
  await page.getByText('Order 1 for Kim was placed').waitFor()
  await page.getByRole('link', { name: 'Rex' }).click()
  await dialog.getByText('You typed this before and did not save it.').waitFor()
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Max')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Max' }).waitFor()
  assert.equal(((await send('/v1/pets?id=1')).body as { name: string }[])[0]?.name, 'Max')

  // Escape closes it, however many were open, and gives the focus back to the list.
  await page.getByRole('link', { name: 'Tom' }).click()
  await dialog.getByRole('heading', { name: 'Tom' }).waitFor()
  await page.getByRole('link', { name: 'Kim' }).click()
  await dialog.getByRole('heading', { name: 'Kim' }).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await eventually(async () => assert.equal(await page.locator(':focus').textContent(), 'Kim'))
  assert.equal(new URL(page.url()).hash, '#/animals')
})

browserTest('a pane is over the list once the window is too small for both', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  const { page } = await open({ key, viewport: { width: 1920, height: 1080 } })
  await page.goto(`${origin}/#/animals?animal=1`)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Max')
  assert.equal(await page.locator('dialog:modal').count(), 0)

  await page.setViewportSize({ width: 1280, height: 800 })

  await page.locator('dialog:modal').waitFor()
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Max')
  await page.setViewportSize({ width: 1920, height: 1080 })
  await page.locator('dialog:not(:modal)').waitFor()
})
