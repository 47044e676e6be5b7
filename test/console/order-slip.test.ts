import assert from 'node:assert/strict'
import { startApp } from '../support/app.ts'
import { assertAccessible } from '../support/axe.ts'
import { browserTest, eventually } from '../support/browser.ts'

browserTest('an order prints as a slip: the whole name, dates, a title of its own, no history', async (t, open) => {
  const app = await startApp(t)
  const name = `Rex ${'the dog of the castle '.repeat(4)}II`
  await app.create({ name, categoryId: 1, status: 'available' })
  await app.sendJson('POST /v1/store/orders', { petId: 1, customer: 'Ada', note: 'Collects on Saturday.' })
  const { page } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/orders?order=1`)
  const sheet = page.getByRole('dialog', { name: 'Order 1' })
  await sheet
    .getByText(/^today, /)
    .first()
    .waitFor()
  await sheet.getByText('by test').waitFor()
  const before = await page.title()
  await page.evaluate(`window.print = () => {
    dispatchEvent(new Event('beforeprint'))
    document.documentElement.dataset.printed = document.title
    dispatchEvent(new Event('afterprint'))
  }`)

  await sheet.getByRole('button', { name: 'Print' }).click()

  assert.equal(await page.locator('html').getAttribute('data-printed'), 'Order 1')
  assert.equal(await page.title(), before)
  await page.emulateMedia({ media: 'print' })
  t.after(() => page.emulateMedia({ media: null }))
  await eventually(async () =>
    assert.equal(
      await sheet
        .getByText(/^today, /)
        .first()
        .isVisible(),
      false,
    ),
  )
  assert.match(await sheet.locator('dd time').innerText(), new RegExp(String(new Date().getFullYear())))
  assert.equal(await sheet.getByRole('button').first().isVisible(), false)
  assert.equal(await page.getByText('Collects on Saturday.').isVisible(), true)
  assert.equal(await sheet.locator('dd').first().innerText(), `${name} (animal 1)`)
  assert.equal(await sheet.getByText('History').isVisible(), false)
  assert.doesNotMatch(await sheet.innerText(), /by test/)
})

browserTest('the name of a customer leads to their orders, open and done', async (t, open) => {
  const app = await startApp(t)
  for (const [id, customer] of [
    [1, 'Ada Lovelace'],
    [2, 'Grace'],
    [3, 'ada  lovelace '],
    [4, 'Ada Lovelaces'],
    [5, 'Ada King Lovelace'],
  ] as const) {
    await app.create({ name: 'Rex', categoryId: 1, status: 'available' })
    await app.sendJson('POST /v1/store/orders', { petId: id, customer })
  }
  await app.sendJson('PATCH /v1/store/orders/1', { status: 'completed' })
  const { page } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/orders?status=all`)
  const numbers = page.locator('tbody td.number a')

  await page.getByRole('link', { name: 'Ada Lovelace', exact: true }).first().click()

  await page.getByText('Orders of Ada Lovelace').waitFor()
  await eventually(async () => assert.deepEqual(await numbers.allInnerTexts(), ['3', '1']))
  await page.getByText('2 orders', { exact: true }).waitFor()
  await assertAccessible(page, 'the orders of a customer')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByText('All orders whose customer has the words of “Ada Lovelace”, also of longer names.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Open', exact: true }).click()
  await eventually(async () => assert.deepEqual(await numbers.allInnerTexts(), ['3']))
  await page.getByRole('link', { name: 'Show all customers' }).click()
  await eventually(async () => assert.deepEqual(await numbers.allInnerTexts(), ['2', '3', '4', '5']))
})

browserTest('orders are found by the name of their animal, the oldest first, and tabs count', async (t, open) => {
  const app = await startApp(t)
  for (let id = 1; id <= 9; id++) {
    await app.create({ name: id === 5 ? 'Rex' : 'Bella', categoryId: 1, status: 'available' })
    await app.sendJson('POST /v1/store/orders', { petId: id })
  }
  await app.sendJson('PATCH /v1/store/orders/2', { status: 'completed' })
  const { page } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/orders`)
  await page.getByRole('link', { name: 'Open 8' }).waitFor()
  await page.getByRole('link', { name: 'Completed 1' }).waitFor()

  await page.getByRole('searchbox', { name: 'Find' }).fill('bella')

  await page.getByText('7 orders').waitFor()
  assert.deepEqual(await page.locator('tbody td.number a').allInnerTexts(), ['1', '3', '4', '6', '7', '8', '9'])
  // The tabs count all orders, not those that were found.
  const tabs = page.getByRole('navigation', { name: 'Status' }).getByRole('link')
  assert.deepEqual(await tabs.allInnerTexts(), ['Open', 'Completed', 'Cancelled', 'All'])

  await page.getByRole('searchbox', { name: 'Find' }).fill('Order 5')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Order 5' }).waitFor()
})
