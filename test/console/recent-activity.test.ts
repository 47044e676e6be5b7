import assert from 'node:assert/strict'
import { maxFeedWaitMs } from '../../console/state/feed-wait.ts'
import { startApp } from '../support/app.ts'
import { browserTest, eventually, holdTimers } from '../support/browser.ts'

browserTest('recent activity is filled by one request after a reload and continued by the stream', async (t, open) => {
  const { origin, key, create, sendJson, makeKey } = await startApp(t)
  const { secret } = await makeKey({ name: 'Ada at the till' })
  const headers = { authorization: `Bearer ${secret}` }
  await create({ name: 'Rex', categoryId: 1, status: 'available' }, headers)
  await sendJson('POST /v1/store/orders', { petId: 1 }, headers)
  const tab = await open({ key })
  const { page, requests } = tab
  await holdTimers(tab, maxFeedWaitMs)
  const lines = page.locator('.recent-activity li p')
  await page.route('**/v1/events?*', async (route) => {
    await create({ name: 'In both', categoryId: 1 })
    const response = await route.fetch()
    await create({ name: 'Only in the stream', categoryId: 1 })
    await page.getByText('Only in the stream was added').waitFor()
    await route.fulfill({ response })
  })

  await page.goto(origin)
  await page.getByText('Rex was added').waitFor()

  await eventually(async () =>
    assert.deepEqual(await lines.allInnerTexts(), [
      'Only in the stream was added',
      'In both was added',
      'Order 1 for Rex was placed',
      'Rex was added',
    ]),
  )
  assert.equal(requests.filter((request) => request.startsWith('GET /v1/events?')).length, 1)
  const order = page.locator('.recent-activity li', { hasText: 'Order 1' })
  await eventually(async () => assert.match(await order.innerText(), /by Ada at the till, today, /))
})

browserTest('animals that were added or changed together are one line of the recent activity', async (t, open) => {
  const { origin, key, create, sendJson } = await startApp(t)
  for (let count = 1; count <= 4; count++) await create({ name: `Ant ${count}`, categoryId: 1 })
  const { page } = await open({ key })
  const lines = page.locator('.recent-activity > ol > li').locator('p, summary')
  await page.goto(origin)
  await page.getByText('4 animals were added').waitFor()
  await page.getByText('Live', { exact: true }).waitFor()

  await sendJson('POST /v1/pets/bulk', { filter: { categoryId: 1 }, change: { status: 'sold' } })

  await eventually(async () =>
    assert.deepEqual(await lines.allInnerTexts(), ['4 animals were changed', '4 animals were added']),
  )
  await page.getByText('4 animals were added').click()
  await page.locator('.recent-activity').getByText('Ant 3 was added').waitFor()
})

browserTest('a large change is counted whole and hides nothing of what was before', async (t, open) => {
  const { origin, key, create, sendJson, storage } = await startApp(t)
  await create({ name: 'Rex', categoryId: 7, status: 'available' })
  await sendJson('POST /v1/store/orders', { petId: 1 })
  await storage.imports.add(Array.from({ length: 300 }, (_none, at) => ({ name: `Ant ${at}`, categoryId: 1n })))
  const { page, requests } = await open({ key })
  const lines = page.locator('.recent-activity > ol > li').locator('p:first-child, summary')
  const before = ['300 animals were added', 'Order 1 for Rex was placed', 'Rex was added']
  await page.goto(origin)
  await eventually(async () => assert.deepEqual(await lines.allInnerTexts(), before))
  assert.equal(requests.filter((request) => request.startsWith('GET /v1/events?')).length, 4)
  await page.getByText('Live', { exact: true }).waitFor()

  await sendJson('POST /v1/pets/bulk', { filter: { categoryId: 1 }, change: { status: 'sold' } })

  await eventually(async () => assert.deepEqual(await lines.allInnerTexts(), ['300 animals were changed', ...before]))
  await page.getByText('300 animals were changed').click()
  await page.getByText('These are the latest 100.').waitFor()
  assert.equal(await page.locator('.recent-activity details li').count(), 100)
  await page.getByRole('link', { name: 'Orders', exact: true }).click()
  await page.getByRole('link', { name: 'Stock', exact: true }).click()
  await eventually(async () => assert.deepEqual(await lines.allInnerTexts(), ['300 animals were changed', ...before]))
})

browserTest('the event stream resumes where it was', async (t, open) => {
  const { origin, key, create, app, makeKey } = await startApp(t)
  // What one key adds is one line from the third animal on.
  const { secret } = await makeKey({ name: 'Ada at the till' })
  await create({ name: 'Rex', categoryId: 1 })
  const tab = await open({ key })
  const { page } = tab
  await holdTimers(tab, maxFeedWaitMs)
  await page.goto(origin)
  await page.getByText('Live', { exact: true }).waitFor()
  // The request that fills the list has been answered, so only the stream can tell of Tom.
  await page.locator('.recent-activity').getByText('Rex was added').waitFor()
  await create({ name: 'Tom', categoryId: 1 })
  await page.locator('.recent-activity').getByText('Tom was added').waitFor()

  const asked = page.waitForRequest('**/v1/events')
  app.server.closeAllConnections()
  await create({ name: 'Mia', categoryId: 1 }, { authorization: `Bearer ${secret}` })

  assert.match((await asked).headers()['last-event-id'] ?? '', /^2-\w+$/)
  await page.locator('.recent-activity').getByText('Mia was added').waitFor()
  await eventually(async () =>
    assert.equal(await page.locator('.recent-activity').getByText('Tom was added').count(), 1),
  )
})
