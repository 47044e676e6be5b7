import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { startApp } from '../support/app.ts'
import { browserTest, eventually } from '../support/browser.ts'

const live = (page: Page) => page.getByText('Live', { exact: true }).waitFor()
const shows = (page: Page, count: number) => page.locator('.stock-total', { hasText: String(count) }).waitFor()

browserTest('many tabs share one event stream', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  const { page, context } = await open({ key })
  const streams: string[] = []
  context.on('request', (request) => {
    if (request.url().endsWith('/v1/events')) streams.push(request.url())
  })
  const pages = [page]
  for (let count = 1; count < 8; count++) pages.push(await context.newPage())
  for (const one of pages) await one.goto(origin)
  for (const one of pages) await live(one)

  await create({ name: 'Tom', categoryId: 1 })

  for (const one of pages) await shows(one, 2)
  assert.equal(streams.length, 1)
})

browserTest('when the tab with the stream closes, another takes over and misses nothing', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  const { page, context } = await open({ key })
  await page.goto(origin)
  await live(page)
  const other = await context.newPage()
  await other.goto(origin)
  await live(other)
  const recent = other.locator('.recent-activity')
  // The request that fills the list has been answered, so only the stream can tell of Tom.
  await recent.getByText('Rex was added').waitFor()
  await create({ name: 'Tom', categoryId: 1 })
  await recent.getByText('Tom was added').waitFor()

  const asked = other.waitForRequest('**/v1/events')
  await page.close()
  assert.match((await asked).headers()['last-event-id'] ?? '', /^2-\w+$/)
  await create({ name: 'Mia', categoryId: 1 })

  // Three changes of one kind by one author are one line.
  await recent.getByText('3 animals were added').waitFor()
})

browserTest('a tab that nobody sees hands the stream to one that somebody sees', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  const { page, context } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  await live(page)
  const other = await context.newPage()
  await other.goto(`${origin}/#/animals`)
  await live(other)
  // The list has been read, so only the stream can tell of Rex.
  await other.getByText('No animals yet').waitFor()
  await create({ name: 'Rex', categoryId: 1 })
  await other.getByRole('link', { name: 'Rex' }).waitFor()

  const asked = other.waitForRequest('**/v1/events')
  await page.evaluate(`{
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }`)
  assert.match((await asked).headers()['last-event-id'] ?? '', /^1-\w+$/)
  await live(other)
  await create({ name: 'Tom', categoryId: 1 })
  await other.getByRole('link', { name: 'Tom' }).waitFor()
  await page.evaluate(`{
    Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
  }`)

  await page.getByRole('link', { name: 'Tom' }).waitFor()
})

browserTest('without Web Locks each tab has its own stream', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  const { page, runAtStart } = await open({ key })
  await runAtStart(`Object.defineProperty(navigator, 'locks', { value: undefined })`)
  await page.goto(`${origin}/#/animals`)
  await live(page)

  await create({ name: 'Rex', categoryId: 1 })

  await page.getByRole('link', { name: 'Rex' }).waitFor()
})

browserTest('many changes cause few requests, and the last one is shown', async (t, open) => {
  const { origin, key, create, send } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  const { page, requests } = await open({ key })
  await page.goto(`${origin}/#/animals?animal=1`)
  await page.getByLabel('Name').waitFor()
  await live(page)
  requests.length = 0

  const start = performance.now()
  const headers = { 'content-type': 'application/json' }
  for (let number = 1; number <= 200; number++) {
    await send('/v1/pets/1', { method: 'PATCH', headers, body: JSON.stringify({ name: `Rex ${number}` }) })
  }

  await eventually(async () => assert.equal(await page.locator('dialog h2').innerText(), 'Rex 200'))
  // Each of four readers reads every two seconds.
  const seconds = (performance.now() - start) / 1_000
  assert.ok(requests.length < 30 + 2 * seconds, `${requests.length} requests in ${seconds} seconds`)
})

browserTest('a proxy that ends every stream at once is asked less and less often', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })
  await page.clock.install()
  let streams = 0
  await page.route('**/v1/events', (route) => {
    streams++
    return route.fulfill({ contentType: 'text/event-stream', body: '' })
  })
  await page.goto(origin)
  await eventually(async () => assert.ok(streams > 0))

  for (let step = 0; step < 40; step++) await page.clock.runFor(250)

  assert.ok(streams < 20, String(streams))
})
