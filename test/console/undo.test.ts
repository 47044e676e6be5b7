import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { startApp, type TestApp } from '../support/app.ts'
import { browserTest, eventually, holdTimers, type OpenTab, type Tab } from '../support/browser.ts'

interface Shop extends Tab {
  app: TestApp
  /** Ends the time for an Undo. */
  endWait: () => Promise<unknown>
  /** Completes the order with this number in the page. */
  complete: (id: number) => Promise<void>
  statusOf: (id: number) => Promise<string>
}

/** The orders of a shop in which everything is ordered. */
async function openOrders(t: TestContext, open: OpenTab, count = 1): Promise<Shop> {
  const app = await startApp(t)
  for (let id = 1; id <= count; id++) {
    await app.create({ name: `Pet ${id}`, categoryId: 1, status: 'available' })
    await app.sendJson('POST /v1/store/orders', { petId: id })
  }
  const { secret } = await app.makeKey({ id: 'key_clerk', name: 'Clerk' })
  const tab = await open({ key: secret })
  const endWait = await holdTimers(tab, 8_000)
  await tab.page.goto(`${app.origin}/#/orders`)
  // The notices name the animals, as far as they are known.
  for (let id = 1; id <= count; id++) await tab.page.getByRole('row', { name: `Pet ${id}` }).waitFor()
  const complete = async (order: number) => {
    await tab.page.getByRole('button', { name: `Complete order ${order}`, exact: true }).click()
    await tab.page.getByText(`Completing order ${order}`).waitFor()
  }
  const statusOf = async (order: number) =>
    ((await app.send(`/v1/store/orders/${order}`)).body as { status: string }).status
  return { ...tab, app, endWait, complete, statusOf }
}

browserTest('an order that was ended by mistake stays open if that is undone in time', async (t, open) => {
  const { page, requests, endWait, complete, statusOf } = await openOrders(t, open)

  await complete(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Order 1 stays open').waitFor()
  await endWait()

  assert.equal(await statusOf(1), 'placed')
  assert.ok(!requests.some((request) => request.startsWith('PATCH ')))
})

browserTest('what waits is sent when the page is left, and when the user signs out', async (t, open) => {
  const { app, page, complete, statusOf } = await openOrders(t, open, 2)

  await complete(1)
  await page.goto(`${app.origin}/docs`)
  await eventually(async () => assert.equal(await statusOf(1), 'completed'))

  await page.goto(`${app.origin}/#/orders`)
  await complete(2)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('sign out')
  await page.keyboard.press('Enter')
  await page.getByText('You are signed out').waitFor()
  await eventually(async () => assert.equal(await statusOf(2), 'completed'))
})

browserTest('a fourth action sends the first, whose Undo has no room any more', async (t, open) => {
  const { page, complete, statusOf } = await openOrders(t, open, 4)

  for (const id of [1, 2, 3, 4]) await complete(id)

  await page.getByText('Order 1 was completed').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 3)
  assert.deepEqual([await statusOf(1), await statusOf(2)], ['completed', 'placed'])
})

browserTest('without a network an action waits for it, and can still be undone', async (t, open) => {
  const { app, page, context, endWait, complete, statusOf } = await openOrders(t, open, 2)
  await complete(1)
  await complete(2)
  await context.setOffline(true)
  app.app.server.closeAllConnections() // To be offline ends no connection that is open.
  await page.getByText('You are offline').waitFor()

  await endWait()
  await page.getByText('Pet 1 will be sold, as soon as you are online').waitFor()
  await page.getByRole('button', { name: 'Undo' }).nth(1).click()
  await context.setOffline(false)

  await page.getByText('Order 1 was completed').waitFor()
  assert.equal(await statusOf(2), 'placed')
})

browserTest('a key that is revoked meanwhile does nothing, and the page says so', async (t, open) => {
  const { app, page, endWait, complete, statusOf } = await openOrders(t, open)
  await complete(1)

  await app.storage.keys.revoke('key_clerk', Date.now())
  await endWait()

  await page.getByText('Your key is not accepted any more').waitFor()
  await page.getByText('Order 1 was not completed.').waitFor()
  assert.equal(await statusOf(1), 'placed')
})

browserTest('a double click does what one click does', async (t, open) => {
  const { app, page, requests, complete, endWait } = await openOrders(t, open, 3)
  const notices = page.locator('.toast')

  await page.getByRole('button', { name: 'Complete order 1' }).dblclick()
  await complete(2)
  await complete(3)
  await page.getByRole('button', { name: 'Undo' }).first().dblclick()
  await page.getByText('Order 1 stays open').waitFor()
  assert.equal(await notices.filter({ hasText: 'Completing' }).count(), 2)
  await endWait()
  await page.getByText('Order 3 was completed').waitFor()

  for (const name of ['A', 'B', 'C', 'D']) await app.create({ name, categoryId: 1 })
  await page.goto(`${app.origin}/#/animals?animal=4`)
  requests.length = 0
  await page.getByLabel('Name').fill('Zoe')
  await page.getByRole('button', { name: 'Save' }).dblclick()
  await page.getByText('Zoe was saved').waitFor()
  // Loaded anew, without the notices.
  await page.goto(`${app.origin}/?again#/animals?animal=4`)
  await page.getByRole('button', { name: 'Delete this animal' }).dblclick()
  await page.getByText('Deleting Zoe').waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
  assert.equal(requests.filter((request) => /^(PATCH|DELETE)/.test(request)).length, 1)
})

browserTest('a reload sends what waits, and shows it', async (t, open) => {
  const { app, page, complete } = await openOrders(t, open, 1)
  await complete(1)

  await page.reload()

  await page.getByText('No open orders').waitFor()
  assert.equal(((await app.send('/v1/pets/1')).body as { status: string }).status, 'sold')
})
