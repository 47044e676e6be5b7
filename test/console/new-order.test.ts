import assert from 'node:assert/strict'
import { startApp } from '../support/app.ts'
import { assertAccessible } from '../support/axe.ts'
import { browserTest, eventually } from '../support/browser.ts'

browserTest('an order is started from the orders, by keyboard: animal, earlier customer, note', async (t, open) => {
  const { origin, key, sendJson, send } = await startApp(t)
  await sendJson('PUT /v1/categories/1', { name: 'Dogs' })
  const animals = [
    ['Bella', 'sold'],
    ['Bella', 'available'],
    ['Bruno', 'available'],
  ] as const
  for (const [name, status] of animals) await sendJson('POST /v1/pets', { name, categoryId: 1, status })
  for (const customer of ['Ada Lovelace', 'Grace Hopper', 'Ada Lovelace']) {
    const { body } = await sendJson('POST /v1/store/orders', { petId: 3, customer })
    await sendJson(`PATCH /v1/store/orders/${(body as { id: number }).id}`, { status: 'cancelled' })
  }
  const { page } = await open({ key })
  await page.goto(`${origin}/#/orders`)

  const button = page.getByRole('button', { name: 'New order' })
  await button.press('Enter')
  const dialog = page.getByRole('dialog')
  const animal = dialog.getByLabel('Animal', { exact: true })
  await animal.and(page.locator(':focus')).waitFor()
  await page.keyboard.type('zzz')
  await dialog.getByText('No animal that is available matches.').waitFor()
  await animal.fill('be')
  await dialog.getByRole('option', { name: 'Bella Dogs · 2' }).waitFor()
  assert.equal(await dialog.getByRole('option').count(), 1)
  await assertAccessible(page, 'a new order')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')

  // Another Bella is sold: the number tells them apart.
  await dialog.getByText('Bella, number 2, Dogs. It will be pending: nobody else can order it.').waitFor()
  await dialog.getByLabel('Customer').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('ada')
  await dialog.getByRole('option', { name: 'Ada Lovelace' }).waitFor()
  assert.equal(await dialog.getByRole('option').count(), 1)
  await assertAccessible(page, 'a customer of earlier orders')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Collects on Friday')
  await page.keyboard.press('Control+Enter')

  await page.getByText('Order 4 for Bella was placed').waitFor()
  await page.getByRole('row', { name: /^Order 4.*Bella.*Ada Lovelace/ }).waitFor()
  await eventually(async () => assert.equal(await button.evaluate((element) => element.matches(':focus')), true))
  const { petId, customer, note } = (await send('/v1/store/orders/4')).body as Record<string, unknown>
  assert.deepEqual({ petId, customer, note }, { petId: 2, customer: 'Ada Lovelace', note: 'Collects on Friday' })
})

browserTest('a number finds the animal to order, and a new customer is kept as typed', async (t, open) => {
  const { origin, key, sendJson, send } = await startApp(t)
  for (const name of ['Rex', 'Tom']) await sendJson('POST /v1/pets', { name, categoryId: 1, status: 'available' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  await page.getByRole('row', { name: 'Rex' }).waitFor()

  await page.keyboard.press('Control+k')
  await page.keyboard.type('new order')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'New order' })
  await dialog.getByLabel('Animal', { exact: true }).fill('#2')
  await dialog.getByRole('option', { name: 'Tom' }).waitFor()
  await dialog.getByRole('button', { name: 'Next' }).click()
  await page.getByLabel('Customer').fill('Kim')
  await page.getByRole('button', { name: 'Place the order' }).click()

  await page.getByText('Order 1 for Tom was placed').waitFor()
  assert.equal(((await send('/v1/store/orders/1')).body as { customer: string }).customer, 'Kim')
})

browserTest('a key that may only read starts no order', async (t, open) => {
  const { origin, makeKey } = await startApp(t)
  const { secret: key } = await makeKey({ permission: 'read' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/orders`)

  await page.getByRole('button', { name: 'Export' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'New order' }).count(), 0)
})
