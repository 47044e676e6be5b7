import assert from 'node:assert/strict'
import type { Page, Route } from 'playwright-core'
import { startApp } from '../support/app.ts'
import { browserTest, eventually } from '../support/browser.ts'

async function typeRex(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('Rex')
  await page.getByRole('dialog').getByLabel('Category').fill('7')
}

async function onCreate(page: Page, handle: (route: Route) => Promise<void>): Promise<void> {
  await page.route('**/v1/pets', (route) => (route.request().method() === 'POST' ? handle(route) : route.fallback()))
}

function answer(code: string, status: number, headers: Record<string, string> = {}) {
  return { status, headers, json: { code, message: 'The message of the service.', status } }
}

const add = (page: Page) => page.getByRole('button', { name: 'Add', exact: true })

browserTest('a lost response does not add an animal twice', async (t, open) => {
  const { origin, key, send } = await startApp(t)
  const { page } = await open({ key })
  let lost = 0
  await onCreate(page, async (route) => {
    if (lost++ > 0) return route.fallback()
    await route.fetch()
    await route.abort()
  })
  await page.goto(`${origin}/#/animals?animal=new`)

  await typeRex(page)
  await add(page).click()

  await page.getByText('Rex was added with the number 1').waitFor()
  assert.equal((await send('/v1/pets')).text, '[{"id":1,"name":"Rex","categoryId":7,"status":"available"}]')
  assert.equal(lost, 2)
})

browserTest('offline is reported, typed text is kept, and the animal is added once online', async (t, open) => {
  const { app, origin, key, send } = await startApp(t)
  const { page, context } = await open({ key })
  await page.goto(`${origin}/#/animals?animal=new`)
  await typeRex(page)

  await context.setOffline(true)
  app.server.closeAllConnections() // To be offline ends no connection that is open.
  await page.getByText('You are offline').waitFor()
  await add(page).click()
  await page.getByRole('dialog').getByText('cannot be reached right now').waitFor()
  await eventually(async () => assert.equal(await page.getByLabel('Name').inputValue(), 'Rex'))
  await context.setOffline(false)
  await add(page).click()

  await page.getByText('Rex was added with the number 1').waitFor()
  await page.getByText('You are offline').waitFor({ state: 'detached' })
  assert.equal(((await send('/v1/pets')).body as unknown[]).length, 1)
})

browserTest('a network that is lost while the stream is open is reported once a request fails', async (t, open) => {
  const { origin, key, send } = await startApp(t)
  const { page, context } = await open({ key })
  await page.goto(`${origin}/#/animals?animal=new`)
  await page.getByText('Live', { exact: true }).waitFor()
  await typeRex(page)

  // To be offline ends no connection that is open: the stream stays.
  let hasFailed = false
  page.on('requestfailed', () => (hasFailed = true))
  await context.setOffline(true)
  const isReported = (await page.getByText('You are offline').count()) > 0
  assert.ok(!isReported || hasFailed)
  await add(page).click()
  await page.getByRole('dialog').getByText('cannot be reached right now').waitFor()

  await page.getByText('You are offline').waitFor()
  assert.equal(await page.getByText('Live', { exact: true }).count(), 0)
  await context.setOffline(false)
  await page.getByText('Live', { exact: true }).waitFor()
  await page.getByText('You are offline').waitFor({ state: 'detached' })
  await add(page).click()
  await page.getByText('Rex was added with the number 1').waitFor()
  assert.equal(((await send('/v1/pets')).body as unknown[]).length, 1)
})

browserTest('a fault of the service is explained, and the typed text is kept', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })
  await onCreate(page, (route) => route.fulfill(answer('internal', 500, { 'x-request-id': 'abc-7' })))
  await page.goto(`${origin}/#/animals?animal=new`)

  await typeRex(page)
  await add(page).click()

  await page.getByRole('alert').getByText('abc-7').waitFor()
  await page.reload()
  await eventually(async () => assert.equal(await page.getByLabel('Name').inputValue(), 'Rex'))
  await eventually(async () => assert.equal(await page.getByRole('dialog').getByLabel('Category').inputValue(), '7'))
})

browserTest('a 503 with Retry-After is retried without a message', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })
  let tries = 0
  await onCreate(page, (route) =>
    tries++ === 0 ? route.fulfill(answer('unavailable', 503, { 'retry-after': '1' })) : route.fallback(),
  )
  await page.goto(`${origin}/#/animals?animal=new`)

  await typeRex(page)
  await add(page).click()

  await page.getByText('Rex was added with the number 1').waitFor()
  assert.equal(tries, 2)
})

browserTest('a failed list shows an error and can be retried', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 7 })
  const { page } = await open({ key })
  await page.route('**/v1/pets?*', (route) => route.fulfill(answer('unavailable', 503, { 'retry-after': '30' })))
  await page.goto(`${origin}/#/animals`)
  await page.getByRole('alert').getByText('busy or restarting').waitFor()

  await page.unroute('**/v1/pets?*')
  await page.getByRole('button', { name: 'Try again' }).click()

  await page.getByRole('link', { name: 'Rex' }).waitFor()
})

browserTest('a missing animal shows a message', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })

  await page.goto(`${origin}/#/animals?animal=4711`)

  await page.getByText('No animal has the number 4711').waitFor()
})

browserTest('an error of a gateway is shown as text', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })
  await page.route('**/v1/pets?*', (route) =>
    route.fulfill({ status: 403, json: { error: { reason: 'blocked' }, message: { text: 'no' } } }),
  )

  await page.goto(`${origin}/#/animals`)

  await page.getByRole('alert').getByText('Something between this page and the service answered').waitFor()
})

browserTest('signing out ends all requests', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  const { page, requests } = await open({ key })
  await page.clock.install()
  await page.goto(origin)
  await page.locator('.stock-total').waitFor()
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('You are signed out').waitFor()
  requests.length = 0

  await create({ name: 'Tom', categoryId: 1 })
  await page.clock.fastForward(120_000)

  assert.deepEqual(requests, [])
})
