import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { startApp, type TestApp } from '../support/app.ts'
import { browserTest, eventually, holdTimers, loseResponses, type OpenTab, type Tab } from '../support/browser.ts'

const rex = { name: 'Rex', categoryId: 1, status: 'available' }

function place({ send }: TestApp, petId: number) {
  const headers = { 'content-type': 'application/json' }
  return send('/v1/store/orders', { method: 'POST', headers, body: JSON.stringify({ petId }) })
}

async function statusOf({ send }: TestApp): Promise<string> {
  return ((await send('/v1/pets/1')).body as { status: string }).status
}

/** The orders of a shop with one animal, which is ordered. `endWait` ends the time for an Undo. */
async function openOrders(
  t: TestContext,
  open: OpenTab,
): Promise<Tab & { app: TestApp; endWait: () => Promise<unknown> }> {
  const app = await startApp(t)
  await app.create(rex)
  await place(app, 1)
  const tab = await open({ key: app.key })
  const endWait = await holdTimers(tab, 8_000)
  await tab.page.goto(`${app.origin}/#/orders`)
  return { ...tab, app, endWait }
}

browserTest('an order can be placed and cancelled on the sheet of its animal', async (t, open) => {
  const app = await startApp(t)
  await app.create(rex)
  const tab = await open({ key: app.key })
  const { page } = tab
  const endWait = await holdTimers(tab, 8_000)
  await page.goto(`${app.origin}/#/animals?animal=1`)

  await page.getByRole('button', { name: 'Place an order' }).click()
  await page.getByRole('button', { name: 'Place the order' }).click()
  await page.getByText(/Order 1 is open since/).waitFor()
  await eventually(async () => assert.ok(await page.getByRole('radio', { name: 'Sold' }).isDisabled()))
  assert.equal(await page.getByText('Somebody changed this animal').count(), 0)
  await page.getByRole('button', { name: 'Cancel order 1' }).click()
  await page.getByRole('dialog').getByText('Rex will be available again').waitFor()
  await endWait()

  await page.getByRole('button', { name: 'Place an order' }).waitFor()
  assert.equal(await statusOf(app), 'available')
  assert.equal(await page.getByText('Somebody changed this animal').count(), 0)
})

browserTest('an order of somebody else is shown as such', async (t, open) => {
  const app = await startApp(t)
  await app.create(rex)
  const { page } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/animals?animal=1`)
  await page.getByRole('button', { name: 'Place an order' }).waitFor()

  await place(app, 1)

  await page.getByText('Somebody changed this animal').waitFor()
})

browserTest('ordering an animal that was just ordered shows a clear message', async (t, open) => {
  const app = await startApp(t, { minStability: 'experimental' })
  await app.create(rex)
  const { page } = await open({ key: app.key })
  await page.route('**/v1/events', (route) => route.abort())
  await page.goto(`${app.origin}/#/animals?animal=1`)
  const button = page.getByRole('button', { name: 'Place an order' })
  await button.waitFor()

  await place(app, 1)
  await button.click()
  await page.getByRole('button', { name: 'Place the order' }).click()

  await page.getByRole('alert').getByText('only an available one can be ordered').waitFor()
  await page.getByText(/Order 1 is open since/).waitFor()
})

browserTest('an animal with an open order cannot be deleted, and the page says why', async (t, open) => {
  const app = await startApp(t)
  await app.create(rex)
  await place(app, 1)
  const { page } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/animals?animal=1`)

  await page.getByText('It can be deleted once its order has ended.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Delete this animal' }).count(), 0)
})

browserTest('orders are paged, the newest first, also those of deleted animals', async (t, open) => {
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

  const numbers = page.locator('tbody td.number')
  await page.getByText('Page 1').waitFor()
  await eventually(async () => assert.equal(await numbers.first().innerText(), '23'))
  await page.getByRole('link', { name: 'Next' }).click()
  await page.getByText('Page 2').waitFor()
  await page.getByText('Animal 1, not here any more').waitFor()
  await eventually(async () => assert.deepEqual(await numbers.allInnerTexts(), ['3', '2', '1']))
})

const jsonHeaders = { 'content-type': 'application/json' }

browserTest('double clicks ask once and place one order', async (t, open) => {
  const app = await startApp(t)
  await app.create(rex)
  const { page, requests } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/animals`)

  await page.getByRole('button', { name: 'Order Rex' }).dblclick()
  await page.getByRole('button', { name: 'Place the order' }).dblclick()

  await page.getByText('Order 1 for Rex was placed').waitFor()
  await page.getByRole('button', { name: 'Order Rex' }).waitFor({ state: 'detached' })
  assert.equal(requests.filter((request) => request.startsWith('POST ')).length, 1)
  assert.equal(await page.getByRole('alert').count(), 0)
})

browserTest('a double click ends the order once', async (t, open) => {
  const { page, requests, endWait } = await openOrders(t, open)

  await page.getByRole('button', { name: 'Cancel order 1' }).dblclick()
  await page.getByText('Cancelling order 1').waitFor()
  await endWait()

  await page.getByText('Order 1 was cancelled').waitFor()
  assert.equal(requests.filter((request) => request.startsWith('PATCH ')).length, 1)
})

browserTest('an order is retried after Retry-After', async (t, open) => {
  const app = await startApp(t)
  await app.create(rex)
  const { page } = await open({ key: app.key })
  let tries = 0
  await page.route('**/v1/store/orders', (route) =>
    tries++ === 0
      ? route.fulfill({
          status: 409,
          headers: { 'retry-after': '1' },
          json: { code: 'conflict', message: 'In flight.', status: 409 },
        })
      : route.fallback(),
  )
  await page.goto(`${app.origin}/#/animals`)

  await page.getByRole('button', { name: 'Order Rex' }).click()
  await page.getByRole('button', { name: 'Place the order' }).click()

  await page.getByText('Order 1 for Rex was placed').waitFor()
})

browserTest('an order whose response was lost and that was cancelled since can be placed again', async (t, open) => {
  const app = await startApp(t, { minStability: 'experimental' })
  await app.create(rex)
  const { page } = await open({ key: app.key })
  await page.route('**/v1/events', (route) => route.abort())
  await loseResponses(page, 'POST', '**/v1/store/orders', 3)
  await page.goto(`${app.origin}/#/animals`)
  await page.getByRole('button', { name: 'Order Rex' }).click()
  await page.getByRole('button', { name: 'Place the order' }).click()
  await page.getByRole('alert').getByText('cannot be reached').waitFor()
  await app.send('/v1/store/orders/1', { method: 'PATCH', headers: jsonHeaders, body: '{"status":"cancelled"}' })

  await page.getByRole('button', { name: 'Place the order' }).click()

  await page.getByText('Order 2 for Rex was placed').waitFor()
})

browserTest('orders and their notices show the current name of the animal', async (t, open) => {
  const { app, page } = await openOrders(t, open)
  await page.getByRole('link', { name: 'Rex' }).waitFor()
  await page.getByText('Live', { exact: true }).waitFor()

  await app.send('/v1/pets/1', { method: 'PATCH', headers: jsonHeaders, body: '{"name":"Max"}' })

  await page.getByRole('link', { name: 'Max' }).waitFor()
  await page.getByRole('button', { name: 'Complete order 1' }).click()
  await page.getByText('Max will be sold').waitFor()
})

browserTest('an order that somebody else ended meanwhile is not ended again', async (t, open) => {
  const { app, page, requests, endWait } = await openOrders(t, open)
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Complete order 1' }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()

  await app.send('/v1/store/orders/1', { method: 'PATCH', headers: jsonHeaders, body: '{"status":"cancelled"}' })

  await page.getByText('Somebody else cancelled order 1 meanwhile').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0)
  await page.getByText('No open orders').waitFor()
  await endWait()
  assert.ok(!requests.some((request) => request.startsWith('PATCH ')))
})

browserTest('the text of a dialog is aligned like other text', async (t, open) => {
  const app = await startApp(t)
  await app.create(rex)
  const { page } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/animals`)
  await page.getByRole('button', { name: 'Order Rex' }).click()
  await page.getByText('It will be pending').waitFor()

  const align = await page.evaluate(`getComputedStyle(document.querySelector('dialog p')).textAlign`)

  assert.equal(align, 'start')
})

browserTest('an animal can be saved if it was ordered after a status was chosen', async (t, open) => {
  const app = await startApp(t)
  await app.create(rex)
  const { page } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/animals?animal=1`)
  await page.getByRole('radio', { name: 'Sold' }).check()
  await page.getByLabel('Name').fill('Max')
  await place(app, 1)
  await eventually(async () => assert.ok(await page.getByRole('radio', { name: 'Sold' }).isDisabled()))

  await page.getByRole('button', { name: 'Save' }).click()

  await page.getByText('Max was saved').waitFor()
  assert.equal((await app.send('/v1/pets?id=1')).text, '[{"id":1,"name":"Max","categoryId":1,"status":"pending"}]')
})

browserTest('the name of an animal is shown, also if the page becomes live while it is read', async (t, open) => {
  const app = await startApp(t)
  await app.create(rex)
  await place(app, 1)
  const { page } = await open({ key: app.key })
  const asked = Promise.withResolvers<void>()
  const live = Promise.withResolvers<void>()
  await page.route('**/v1/events', async (route) => {
    await asked.promise
    await route.continue()
  })
  await page.route('**/v1/pets?ids=*', async (route) => {
    asked.resolve()
    await live.promise
    await route.continue()
  })

  await page.goto(`${app.origin}/#/orders`)
  await page.getByText('Live', { exact: true }).waitFor()
  live.resolve()

  await page.getByRole('table', { name: 'Orders' }).getByText('Rex').waitFor()
})
