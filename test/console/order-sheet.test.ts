import assert from 'node:assert/strict'
import { startApp, type TestApp } from '../support/app.ts'
import { browserTest } from '../support/browser.ts'

const ada = { customer: 'Ada Lovelace', note: 'Collects on Saturday.' }

/** A shop whose only animal, Rex, was ordered by Grace, who cancelled, and sold to Ada. */
async function startShop(t: Parameters<typeof startApp>[0]): Promise<TestApp> {
  const app = await startApp(t)
  await app.create({ name: 'Rex', categoryId: 1, status: 'available' })
  await app.sendJson('POST /v1/store/orders', { petId: 1, customer: 'Grace Hopper' })
  await app.sendJson('PATCH /v1/store/orders/1', { status: 'cancelled' })
  await app.sendJson('POST /v1/store/orders', { petId: 1, ...ada })
  await app.sendJson('PATCH /v1/store/orders/2', { status: 'completed' })
  return app
}

browserTest(
  'a finished order has a sheet with its texts and history, and the texts can be changed',
  async (t, open) => {
    const app = await startShop(t)
    const { page } = await open({ key: app.key })
    await page.goto(`${app.origin}/#/orders?status=all`)

    await page.getByRole('cell', { name: 'Order 2 has a note' }).waitFor()
    assert.equal(await page.locator('tbody tr', { hasText: 'Grace Hopper' }).getByText('has a note').count(), 0)
    await page.getByRole('link', { name: 'Order 2', exact: true }).click()
    const sheet = page.getByRole('dialog', { name: 'Order 2' })
    await sheet.getByText(ada.customer).waitFor()
    await sheet.getByText(ada.note).waitFor()
    await sheet.getByRole('listitem').filter({ hasText: 'Completedby test' }).waitFor()
    await sheet.getByRole('listitem').filter({ hasText: 'Placedby test' }).waitFor()
    await sheet.getByRole('button', { name: 'Change customer or note' }).click()
    await page.getByLabel('Note').fill('Collected.')
    await page.getByRole('button', { name: 'Save the order' }).click()

    await sheet.getByText('Collected.').waitFor()
    assert.equal(((await app.send('/v1/store/orders/2')).body as { note: string }).note, 'Collected.')
    await sheet.getByRole('link', { name: 'Rex' }).click()
    await page.getByRole('dialog', { name: 'Animal 1' }).getByText('Sold to Ada Lovelace').waitFor()
  },
)

browserTest('a sold animal says who has it, and closing a sheet returns to the one before', async (t, open) => {
  const app = await startShop(t)
  const { page } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/animals`)

  await page.getByRole('link', { name: 'Rex' }).click()
  const animal = page.getByRole('dialog', { name: 'Animal 1' })
  await animal.getByText('Sold to Ada Lovelace').waitFor()
  const past = animal.getByRole('region', { name: 'Past orders' })
  assert.match(await past.getByRole('list').innerText(), /Order 2 for Ada[\s\S]*Order 1 for Grace/)
  await past.getByRole('link', { name: 'Order 1' }).click()
  await page.waitForURL(/#\/animals\?order=1$/)
  await page.getByRole('dialog', { name: 'Order 1' }).getByText('Grace Hopper').waitFor()
  await page.keyboard.press('Escape')
  await animal.getByText('Sold to Ada Lovelace').waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.waitForURL(/#\/animals$/)
})

browserTest('the order of a deleted animal tells its name, and an unknown order is told as such', async (t, open) => {
  const app = await startShop(t)
  await app.send('/v1/pets/1', { method: 'DELETE' })
  const { secret } = await app.makeKey({ permission: 'read' })
  const { page } = await open({ key: secret })
  await page.goto(`${app.origin}/#/stock`)

  await page.getByRole('link', { name: 'Order 2' }).first().click()
  const sheet = page.getByRole('dialog', { name: 'Order 2' })
  await sheet.getByText('Rex, not here any more').waitFor()
  assert.equal(await sheet.getByRole('button', { name: /customer|complete/i }).count(), 0)
  await page.goto(`${app.origin}/#/orders?order=77`)
  await page.getByRole('heading', { name: 'No order has the number 77' }).waitFor()
})
