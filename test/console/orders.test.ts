import assert from 'node:assert/strict'
import { startApp, type TestApp } from '../support/app.ts'
import { browserTest } from '../support/browser.ts'

const rex = { name: 'Rex', categoryId: 1, status: 'available' }

function place({ send }: TestApp, petId: number) {
  const headers = { 'content-type': 'application/json' }
  return send('/v1/store/orders', { method: 'POST', headers, body: JSON.stringify({ petId }) })
}

async function statusOf({ send }: TestApp): Promise<string> {
  return ((await send('/v1/pets/1')).body as { status: string }).status
}

browserTest('an order is placed from an animal and completed from the orders', async (t, open) => {
  const app = await startApp(t)
  await app.create(rex)
  const { page } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/animals`)

  await page.getByRole('button', { name: 'Order Rex' }).click()
  await page.getByText('Order 1 for Rex was placed').waitFor()
  assert.equal(await statusOf(app), 'pending')
  await page.getByRole('link', { name: 'Orders', exact: true }).click()
  await page.getByRole('table', { name: 'Orders' }).getByText('Rex').waitFor()
  await page.getByRole('button', { name: 'Complete order 1' }).click()
  await page.getByText('Rex will be sold.').waitFor()
  await page.getByRole('button', { name: 'Complete the order' }).click()

  await page.getByText('Order 1 was completed').waitFor()
  await page.getByText('No open orders').waitFor()
  assert.equal(await statusOf(app), 'sold')
  await page.getByRole('link', { name: 'Completed' }).click()
  await page.getByRole('table').getByText('Completed').waitFor()
})

browserTest('an order is placed and cancelled on the sheet of its animal', async (t, open) => {
  const app = await startApp(t)
  await app.create(rex)
  const { page } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/animals?animal=1`)

  await page.getByRole('button', { name: 'Place an order' }).click()
  await page.getByText(/Order 1 is open since/).waitFor()
  assert.ok(await page.getByRole('radio', { name: 'Sold' }).isDisabled())
  assert.equal(await page.getByText('Somebody changed this animal').count(), 0)
  await page.getByRole('button', { name: 'Cancel order 1' }).click()
  await page.getByRole('button', { name: 'Cancel the order' }).click()

  await page.getByRole('button', { name: 'Place an order' }).waitFor()
  assert.equal(await statusOf(app), 'available')
  assert.equal(await page.getByText('Somebody changed this animal').count(), 0)
})

browserTest("an order that somebody else places is told as somebody else's change", async (t, open) => {
  const app = await startApp(t)
  await app.create(rex)
  const { page } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/animals?animal=1`)
  await page.getByRole('button', { name: 'Place an order' }).waitFor()

  await place(app, 1)

  await page.getByText('Somebody changed this animal').waitFor()
})

browserTest(
  'an animal that somebody else just ordered is not ordered again, and that is told kindly',
  async (t, open) => {
    const app = await startApp(t, { offer: 'experimental' })
    await app.create(rex)
    const { page } = await open({ key: app.key })
    await page.route('**/v1/events', (route) => route.abort())
    await page.goto(`${app.origin}/#/animals?animal=1`)
    const button = page.getByRole('button', { name: 'Place an order' })
    await button.waitFor()

    await place(app, 1)
    await button.click()

    await page.getByRole('alert').getByText('only an available one can be ordered').waitFor()
    await page.getByText(/Order 1 is open since/).waitFor()
  },
)

browserTest('to delete an animal with an open order is not offered, and why is told', async (t, open) => {
  const app = await startApp(t)
  await app.create(rex)
  await place(app, 1)
  const { page } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/animals?animal=1`)

  await page.getByText('It can be deleted once its order has ended.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Delete this animal' }).count(), 0)
})

browserTest('orders come in pages, and those of animals that are gone are shown, too', async (t, open) => {
  const app = await startApp(t)
  await Promise.all(Array.from({ length: 23 }, () => app.create(rex)))
  for (let id = 1; id <= 23; id++) await place(app, id)
  await app.send('/v1/store/orders/1', {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: '{"status":"cancelled"}',
  })
  await app.send('/v1/pets/1', { method: 'DELETE' })
  const { page } = await open({ key: app.key })

  await page.goto(`${app.origin}/#/orders?status=all`)

  await page.getByText('Animal 1, not here any more').waitFor()
  await page.getByText('Page 1').waitFor()
  await page.getByRole('link', { name: 'Next' }).click()
  await page.getByText('Page 2').waitFor()
  assert.equal(await page.locator('tbody tr').count(), 3)
})
