import assert from 'node:assert/strict'
import { startApp } from '../support/app.ts'
import { assertAccessible } from '../support/axe.ts'
import { browserTest } from '../support/browser.ts'

browserTest('the stock shows what was added and sold on each of the last 30 days, live', async (t, open) => {
  const app = await startApp(t)
  for (let id = 1; id <= 3; id++) await app.create({ name: 'Rex', categoryId: 1, status: 'available' })
  await app.sendJson('POST /v1/store/orders', { petId: 1 })
  await app.sendJson('PATCH /v1/store/orders/1', { status: 'completed' })
  const { page } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/stock`)

  const month = page.getByRole('region', { name: 'The last 30 days' })
  await month.getByText('3 added', { exact: true }).waitFor()
  await month.getByText('1 sold by order', { exact: true }).waitFor()
  await month.getByText('Animals that were removed since are counted too.').waitFor()
  const rows = month.getByRole('row')
  assert.equal(await rows.count(), 31)
  assert.deepEqual(await rows.last().getByRole('cell').allInnerTexts(), ['3', '1'])
  assert.equal(await month.locator('.day-bar').count(), 2)
  await assertAccessible(page, 'the stock')
  await page.getByText('Live', { exact: true }).waitFor()
  await app.create({ name: 'Tom', categoryId: 1 })
  await month.getByText('4 added', { exact: true }).waitFor()
})

browserTest('the bar of a category is made of its statuses, which are said, too', async (t, open) => {
  const app = await startApp(t)
  for (const status of ['available', 'available', 'sold']) await app.create({ name: 'Rex', categoryId: 1, status })
  await app.create({ name: 'Tom', categoryId: 2 })
  const { page } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/stock`)

  const row = page.getByRole('link', { name: /^Category 1 3/ })
  await row.getByText('Available 2, Sold 1').waitFor()
  const parts = row.locator('.bar .value')
  const drawn = await parts.evaluateAll((all) => all.map((part) => [part.dataset['status'], part.getAttribute('x')]))
  assert.deepEqual(
    drawn.map(([status, x]) => [status, Math.round(Number(x))]),
    [
      ['available', 0],
      ['sold', 67],
    ],
  )
})

browserTest('the first page says what to do now: who waits longest, and animals without a status', async (t, open) => {
  let now = Date.now() - 3 * 24 * 60 * 60_000
  const app = await startApp(t, { clock: () => now })
  for (let id = 1; id <= 7; id++) {
    await app.create({ name: `Rex ${id}`, categoryId: 1, status: 'available' })
    await app.sendJson('POST /v1/store/orders', { petId: id })
    now = Date.now()
  }
  await app.create({ name: 'Tom', categoryId: 1 })
  const { page } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/stock`)

  const toDo = page.getByRole('region', { name: 'What to do now' })
  await toDo.getByRole('listitem').filter({ hasText: 'Order 1: Rex 1 open for 3 days' }).waitFor()
  await toDo.getByRole('link', { name: 'Without a status: 1' }).waitFor()
  await toDo.getByRole('link', { name: 'Open orders: 7' }).waitFor()
  assert.equal(await toDo.getByRole('listitem').count(), 6)
  // What only screen readers see takes no room.
  assert.ok(Number(await page.evaluate('document.documentElement.scrollHeight')) < 1_400)
  await page.getByText('Live', { exact: true }).waitFor()
  await app.sendJson('PATCH /v1/store/orders/1', { status: 'completed' })
  await toDo.getByText('Order 6').waitFor()
  await toDo.getByRole('link', { name: 'Order 2: Rex 2' }).click()
  await page.getByRole('dialog', { name: 'Order 2' }).waitFor()
})

browserTest(
  'the first page tells of imports with rejected rows, until somebody says that they are done',
  async (t, open) => {
    let now = Date.now() - 8 * 24 * 60 * 60_000
    const app = await startApp(t, { clock: () => now })
    const till = await app.makeKey({ name: 'till', permission: 'write' })
    const add = (rows: string) =>
      app.send('/v1/pets/import', {
        method: 'POST',
        headers: { 'content-type': 'text/csv', authorization: `Bearer ${till.secret}` },
        body: `name,categoryId,status\n${rows}`,
      })
    await add('Old,1,sold\n,1,sold\n')
    now = Date.now()
    await add('Rex,1,sold\n')
    await add('Rex,1,sold\n,1,sold\nTom,x,sold\n')
    await add(',1,sold\n')
    const { page } = await open({ key: app.key })
    await page.goto(`${app.origin}/#/stock`)

    const toDo = page.getByRole('region', { name: 'What to do now' })
    const rejected = toDo.getByRole('listitem').filter({ hasText: 'rejected' })
    await rejected.first().waitFor()
    assert.equal(await rejected.count(), 2)
    assert.match(await rejected.first().innerText(), /^1 row rejected, 0 added by till, today/)
    assert.match(await rejected.last().innerText(), /^2 rows rejected, 1 added by till, today/)
    await assertAccessible(page, 'imports with rejected rows')
    await toDo.getByRole('button', { name: 'Done: 1 row rejected' }).press('Enter')
    await toDo.getByRole('heading', { name: 'What to do now' }).and(page.locator(':focus')).waitFor()
    assert.equal(await rejected.count(), 1)
    await page.reload()
    await toDo.getByRole('link', { name: '2 rows rejected, 1 added' }).click()

    const imports = page.getByRole('region', { name: 'Imports' })
    await imports.getByText('1 animal was imported, 2 rows were rejected').waitFor()
    await imports.getByText('0 animals were imported, 1 row was rejected').waitFor()
  },
)
