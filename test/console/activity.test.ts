import assert from 'node:assert/strict'
import { startApp } from '../support/app.ts'
import { browserTest, eventually } from '../support/browser.ts'

browserTest('the activity tells who changed what, filtered by person, day and kind', async (t, open) => {
  const { origin, key, send, sendJson, makeKey } = await startApp(t)
  const { id: clerkId, secret } = await makeKey({ name: 'Clerk' })
  const asClerk = { authorization: `Bearer ${secret}` }
  const csv = `name,categoryId,status\n${Array.from({ length: 150 }, (_, at) => `Pet ${at},1,available\n`).join('')}`
  await send('/v1/pets/import', { method: 'POST', headers: { ...asClerk, 'content-type': 'text/csv' }, body: csv })
  await sendJson('PATCH /v1/pets/7', { status: 'sold' })
  await sendJson('POST /v1/store/orders', { petId: 3 })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/stock`)
  await page.getByRole('link', { name: 'All activity' }).click()

  const shown = page.locator('.recent-activity > ol > li > p, .recent-activity summary')
  const texts = () => shown.allTextContents()
  await eventually(async () =>
    assert.deepEqual(await texts(), [
      'Order 1 for Pet 2 was placed',
      'Pet 6 Status: from Available →  to Sold',
      '150 animals were added',
    ]),
  )
  await page.getByText('150 animals were added').click()
  await page.getByText('Pet 149 was added').waitFor()
  await page.getByText('These are the latest 100').waitFor()

  await page.getByLabel('Who').selectOption('Clerk')
  await eventually(async () => assert.deepEqual(await texts(), ['150 animals were added']))
  assert.match(page.url(), new RegExp(`by=${clerkId}`))
  await page.getByLabel('Who').selectOption('Everybody')
  await page.getByLabel('What').selectOption('Animals changed')
  // The order changed its animal too.
  await eventually(async () => assert.equal((await texts()).length, 2))
  await page.getByLabel('Who').selectOption('test (you)')
  await page.getByLabel('Day').fill('2020-02-28')
  await page.getByLabel('Day').fill('2020-02-29')
  await page.getByText('Nothing happened').waitFor()
  await page
    .getByLabel('Who')
    .getByRole('option', { name: 'test (you)', selected: true })
    .waitFor({ state: 'attached' })
  await page.goBack()
  assert.doesNotMatch(page.url(), /day=/)
})

browserTest('an old link into the activity says so, and leads to its first page', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  const { page } = await open({ key })

  await page.goto(`${origin}/#/activity?cursor=old`)
  await page.getByText('This link leads to a page of the list that is not there any more.').waitFor()
  await page.getByRole('alert').getByRole('link', { name: 'First page' }).click()

  await page.getByText('Rex was added').waitFor()
})

browserTest('the activity goes on with older entries and back to newer ones', async (t, open) => {
  const { origin, storage, makeKey } = await startApp(t)
  for (let count = 1; count <= 60; count++) {
    await storage.pets.create({ name: `Pet ${count}`, categoryId: 1n })
    await storage.pets.update(BigInt(count), { status: 'sold' })
  }
  const { secret } = await makeKey({ permission: 'read' })
  const { page } = await open({ key: secret })
  await page.goto(`${origin}/#/activity`)

  const shown = page.locator('.recent-activity > ol > li')
  await page.getByText('Pet 60 Status:').waitFor()
  assert.equal(await shown.count(), 20)
  await page.getByLabel('a page').selectOption('100')
  await eventually(async () => assert.equal(await shown.count(), 100))
  await page.getByText('Pet 11 was added').waitFor()
  await page.getByRole('link', { name: 'Older' }).click()
  await page.getByText('Pet 10 Status:').waitFor()
  await page.getByText('Pet 1 was added').waitFor()
  assert.equal(await shown.count(), 20)
  await page.getByRole('link', { name: 'Newer' }).click()

  await page.getByText('Pet 60 Status:').waitFor()
})
