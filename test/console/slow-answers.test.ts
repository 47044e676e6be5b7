import assert from 'node:assert/strict'
import type { Page, Route } from 'playwright-core'
import { startApp } from '../support/app.ts'
import { browserTest, eventually } from '../support/browser.ts'
import { fillShop } from '../support/shop.ts'

const jsonHeaders = { 'content-type': 'application/json' }

/** Holds the requests with this method to a path until they are released. */
async function hold(
  page: Page,
  path: string,
  method: string,
): Promise<{ held: Route[]; release: () => Promise<void> }> {
  const held: Route[] = []
  let isHolding = true
  await page.route(path, (route) => {
    if (!isHolding || route.request().method() !== method) return route.fallback()
    held.push(route)
  })
  return {
    held,
    async release() {
      isHolding = false
      for (const route of held) await route.fallback()
    },
  }
}

const until = (condition: () => boolean) => eventually(async () => assert.ok(condition()))

/** Renames animal 1 to Max. The request is held until it is released. */
async function saveSlowly(page: Page, origin: string): Promise<() => Promise<void>> {
  const { held, release } = await hold(page, '**/v1/pets/1', 'PATCH')
  await page.goto(`${origin}/#/animals?animal=1`)
  await page.getByLabel('Name').fill('Max')
  await page.getByRole('button', { name: 'Save' }).click()
  await until(() => held.length === 1)
  return release
}

browserTest('a request that is never answered does not freeze the stock', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  const { page } = await open({ key })
  await page.clock.install()
  const { held } = await hold(page, '**/v1/store/inventory*', 'GET')
  await page.goto(origin)
  await until(() => held.length === 1)

  await page.unroute('**/v1/store/inventory*')
  await page.clock.fastForward(11_000)

  await page.locator('.stock-total').waitFor()
})

browserTest('adding an animal without a response ends with a message', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })
  await page.clock.install()
  const { held } = await hold(page, '**/v1/pets', 'POST')
  await page.goto(`${origin}/#/animals?animal=new`)
  await page.getByLabel('Name').fill('Rex')
  await page.getByRole('dialog').getByLabel('Category').fill('7')
  await page.keyboard.press('Enter')
  await until(() => held.length === 1)

  await page.clock.fastForward(11_000)
  await page.clock.fastForward(11_000)

  await page.getByRole('dialog').getByText('cannot be reached right now').waitFor()
  await page.getByRole('button', { name: 'Add', exact: true }).waitFor()
})

browserTest('a slow save does not close the sheet of another animal', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  for (const name of ['Rex', 'Tom']) await create({ name, categoryId: 1 })
  const { page } = await open({ key })
  const release = await saveSlowly(page, origin)

  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Tom' }).click()
  await page.getByLabel('Name').waitFor()
  await release()

  await page.getByText('Max was saved').waitFor()
  await eventually(async () => assert.equal(await page.getByRole('dialog', { name: 'Animal 2' }).count(), 1))
})

browserTest('text typed during a save is kept', async (t, open) => {
  const { origin, key, create, send } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  const { page } = await open({ key })
  const release = await saveSlowly(page, origin)

  await page.getByLabel('Name').fill('Maximilian')
  await release()

  await page.getByText('Max was saved').waitFor()
  await eventually(async () => assert.equal(await page.getByLabel('Name').inputValue(), 'Maximilian'))
  await eventually(async () => assert.equal(await page.locator('dialog h2').innerText(), 'Max'))
  assert.equal(await page.getByText('Somebody changed').count(), 0)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Maximilian was saved').waitFor()
  assert.match((await send('/v1/pets?id=1')).text, /"Maximilian"/)
})

browserTest('the name of a category cannot be typed over while it is saved', async (t, open) => {
  const { origin, key, storage } = await startApp(t)
  await storage.categories.put({ id: 1n, name: 'Dogs' })
  const { page } = await open({ key })
  const { held, release } = await hold(page, '**/v1/categories/1', 'PUT')
  await page.goto(`${origin}/#/categories`)
  await page.getByRole('button', { name: 'Dogs' }).click()
  await page.getByLabel('Name').fill('Hounds')
  await page.getByRole('button', { name: 'Rename' }).dblclick()
  await until(() => held.length === 1)

  await page.keyboard.type('Cats')
  await eventually(async () => assert.equal(await page.getByLabel('Name').isEditable(), false))
  await release()

  await page.getByText('Dogs is now called Hounds').waitFor()
  assert.equal(held.length, 1)
})

browserTest('a failed filter shows no old rows and no pager', async (t, open) => {
  const { origin, key, storage } = await startApp(t)
  await fillShop(storage, 60)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  await page.getByRole('link', { name: 'Next' }).waitFor()
  await page.route('**/v1/pets?*status=sold*', (route) =>
    route.fulfill({ status: 500, json: { code: 'internal', message: 'Broken.', status: 500 } }),
  )

  await page.getByRole('link', { name: /^Sold( \d+)?$/ }).click()
  await page.getByText('it is not your fault').waitFor()

  assert.equal(await page.locator('tbody tr').count(), 0)
  assert.equal(await page.getByRole('link', { name: 'Next' }).count(), 0)
})

browserTest('an older response does not replace a newer one', async (t, open) => {
  const { origin, key, create, send } = await startApp(t)
  await create({ name: 'Old', categoryId: 1 })
  const { page } = await open({ key })
  let answer: (() => Promise<void>) | undefined
  await page.route('**/v1/pets?id=1', async (route) => {
    if (answer !== undefined) return route.fallback()
    const response = await route.fetch()
    answer = () => route.fulfill({ response })
  })
  await page.goto(`${origin}/#/animals?animal=1`)
  await until(() => answer !== undefined)
  await page.getByText('Live', { exact: true }).waitFor()

  await send('/v1/pets/1', { method: 'PATCH', headers: jsonHeaders, body: '{"name":"New"}' })
  await page.getByRole('link', { name: 'New' }).waitFor()
  await answer?.()

  await eventually(async () => assert.equal(await page.locator('dialog h2').innerText(), 'New'))
})

browserTest('an own change is shown without an event', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1, status: 'available' })
  const { page, runAtStart } = await open({ key })
  await runAtStart(`{
    const { fetch } = window
    const silent = () => new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } })
    window.fetch = async (url, init) => (String(url).endsWith('/v1/events') ? silent() : fetch(url, init))
  }`)
  await page.goto(`${origin}/#/animals?animal=1`)
  await page.getByText('Live', { exact: true }).waitFor()

  await page.getByLabel('Name').fill('Max')
  await page.getByRole('button', { name: 'Save' }).click()

  await page.getByRole('link', { name: 'Max' }).waitFor()
})

for (const { where, address } of [
  { where: 'the list', address: '#/orders' },
  { where: 'its sheet', address: '#/activity?order=1' },
  { where: 'its animal', address: '#/animals?animal=1' },
]) {
  browserTest(
    `an order that was completed has no buttons any more before it is read again: ${where}`,
    async (t, open) => {
      const { origin, key, create, sendJson } = await startApp(t)
      await create({ name: 'Rex', categoryId: 1, status: 'available' })
      await sendJson('POST /v1/store/orders', { petId: 1 })
      const { page } = await open({ key })
      await page.clock.install()
      await page.goto(`${origin}/${address}`)
      await page.getByRole('button', { name: 'Complete order 1' }).first().click()
      const reads = await hold(page, '**/v1/{store/orders,pets,events}*{,/*}', 'GET')

      await page.clock.fastForward(8_000)
      await page.getByText('Order 1 was completed').waitFor()

      await page.getByRole('button', { name: 'Complete order 1' }).waitFor({ state: 'detached' })
      if (where !== 'its animal') await page.locator('.status', { hasText: 'Completed' }).first().waitFor()
      await reads.release()
      if (where === 'the list') await page.getByText('No open orders').waitFor()
    },
  )
}

browserTest('after an outage the view recovers by itself', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  const { page } = await open({ key })
  await page.clock.install()
  await page.goto(`${origin}/#/animals`)
  await page.getByRole('link', { name: 'Rex' }).waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  await page.route('**/v1/pets?*', (route) =>
    route.fulfill({
      status: 503,
      headers: { 'retry-after': '20' },
      json: { code: 'unavailable', message: '', status: 503 },
    }),
  )
  await create({ name: 'Tom', categoryId: 1 })
  await page.getByText('busy or restarting').waitFor()

  await page.unroute('**/v1/pets?*')
  await page.clock.fastForward(21_000)

  await page.getByRole('link', { name: 'Tom' }).waitFor()
  await page.getByText('busy or restarting').waitFor({ state: 'detached' })
})
