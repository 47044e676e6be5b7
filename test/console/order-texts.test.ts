import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { startApp, type TestApp } from '../support/app.ts'
import { browserTest, eventually, loseResponses } from '../support/browser.ts'

const rex = { name: 'Rex', categoryId: 1, status: 'available' }
const headers = { 'content-type': 'application/json' }
const ada = { customer: 'Ada Lovelace', note: 'Collects on Saturday.' }

interface Texts {
  customer?: string
  note?: string
}

async function textsOf({ send }: TestApp, id = 1): Promise<Texts> {
  const { customer, note } = (await send(`/v1/store/orders/${id}`)).body as Texts
  return { ...(customer !== undefined && { customer }), ...(note !== undefined && { note }) }
}

async function startShop(t: Parameters<typeof startApp>[0], texts?: Texts): Promise<TestApp> {
  const app = await startApp(t)
  await app.create(rex)
  const body = JSON.stringify({ petId: 1, ...texts })
  if (texts !== undefined) await app.send('/v1/store/orders', { method: 'POST', headers, body })
  return app
}

function change({ send }: TestApp, texts: object) {
  return send('/v1/store/orders/1', { method: 'PATCH', headers, body: JSON.stringify(texts) })
}

const press = (page: Page, name: string) => page.getByRole('button', { name }).click()
const customerIn = (page: Page) => page.getByLabel('Customer').inputValue()

browserTest('an order is placed with its customer and note, from the list and from the sheet', async (t, open) => {
  const app = await startShop(t)
  await app.create({ ...rex, name: 'Tom' })
  const { page } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/animals`)

  await press(page, 'Order Rex')
  await page.getByLabel('Customer').fill(ada.customer)
  await page.keyboard.press('Enter')
  await page.getByText('Order 1 for Rex was placed').waitFor()
  await page.getByRole('link', { name: 'Tom' }).click()
  await press(page, 'Place an order')
  await page.getByLabel('Note').fill('First line')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Second line')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Order 2 for Tom was placed').waitFor()

  assert.deepEqual(await textsOf(app, 1), { customer: ada.customer })
  assert.deepEqual(await textsOf(app, 2), { note: 'First line\nSecond line' })
  await page.goto(`${app.origin}/#/orders`)
  await page.getByRole('cell', { name: ada.customer, exact: true }).waitFor()
})

browserTest('a confirmation that is closed places no order and keeps what was typed', async (t, open) => {
  const app = await startShop(t)
  const { page, requests } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/animals`)
  await press(page, 'Order Rex')
  await page.getByLabel('Customer').fill('Ada')

  await press(page, 'Cancel')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await press(page, 'Order Rex')

  await page.getByText('You typed this before and did not save it.').waitFor()
  await eventually(async () => assert.equal(await customerIn(page), 'Ada'))
  await press(page, 'Discard')
  await eventually(async () => assert.equal(await customerIn(page), ''))
  assert.deepEqual(
    requests.filter((request) => request.startsWith('POST ')),
    [],
  )
})

browserTest('a customer that is too long is refused before it is sent', async (t, open) => {
  const app = await startShop(t)
  const { page, requests } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/animals`)
  await press(page, 'Order Rex')
  await page.getByLabel('Customer').fill('W'.repeat(201))
  await page.getByLabel('Note').fill(' ')

  await press(page, 'Place the order')

  await page.getByText('That is 201 characters; a customer has at most 200.').waitFor()
  await page.getByText('A note is more than white space.').waitFor()
  assert.equal(requests.filter((request) => request.startsWith('POST ')).length, 0)
})

browserTest('texts changed after a lost response are those of the one order', async (t, open) => {
  const app = await startShop(t)
  const { page } = await open({ key: app.key })
  await loseResponses(page, 'POST', '**/v1/store/orders', 3)
  await page.goto(`${app.origin}/#/animals`)
  await press(page, 'Order Rex')
  await page.getByLabel('Customer').fill('Ada')
  await press(page, 'Place the order')
  await page.getByRole('alert').getByText('cannot be reached').waitFor()
  await eventually(async () => assert.equal(await customerIn(page), 'Ada'))

  await page.getByLabel('Customer').fill(ada.customer)
  await press(page, 'Place the order')

  await page.getByText('Order 1 for Rex was placed').waitFor()
  assert.deepEqual(await textsOf(app), { customer: ada.customer })
})

browserTest('the sheet of an ordered animal shows and changes who it is for', async (t, open) => {
  const app = await startShop(t, ada)
  const { page } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/orders?animal=1`)
  const sheet = page.getByRole('dialog', { name: 'Animal 1' })
  await sheet.getByText(ada.customer).waitFor()
  await sheet.getByText(ada.note).waitFor()

  await press(page, 'Change customer or note')
  await page.getByLabel('Customer').fill('Grace Hopper')
  await page.getByLabel('Note').fill('')
  await press(page, 'Save the order')

  await page.getByText('Order 1 was saved').waitFor()
  await sheet.getByText('Grace Hopper').waitFor()
  await sheet.getByText(ada.note).waitFor({ state: 'detached' })
  assert.deepEqual(await textsOf(app), { customer: 'Grace Hopper' })
  await page.locator('td.customer', { hasText: 'Grace Hopper' }).waitFor()
})

browserTest('a customer is saved beside a note that somebody else changed', async (t, open) => {
  const app = await startShop(t, ada)
  const { page } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/animals?animal=1`)
  await press(page, 'Change customer or note')
  await page.getByLabel('Customer').fill('Grace Hopper')
  await change(app, { note: 'Collects on Monday.', status: 'completed' })

  await press(page, 'Save the order')

  await page.getByText('Order 1 was saved').waitFor()
  assert.deepEqual(await textsOf(app), { customer: 'Grace Hopper', note: 'Collects on Monday.' })
})

browserTest('a customer that somebody else changed too is a conflict, and nothing is lost', async (t, open) => {
  const app = await startShop(t, ada)
  const { page } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/animals?animal=1`)
  await press(page, 'Change customer or note')
  await page.getByLabel('Customer').fill('Grace Hopper')
  await change(app, { customer: 'Edsger Dijkstra', note: 'Collects on Monday.' })

  await press(page, 'Save the order')

  await page.getByText('Somebody changed this order meanwhile.').waitFor()
  await page.getByText('It is now for Edsger Dijkstra').waitFor()
  assert.deepEqual(await textsOf(app), { customer: 'Edsger Dijkstra', note: 'Collects on Monday.' })
  await eventually(async () => assert.equal(await customerIn(page), 'Grace Hopper'))
  await press(page, 'Save the order')
  await page.getByText('Order 1 was saved').waitFor()
  assert.deepEqual(await textsOf(app), { customer: 'Grace Hopper', note: 'Collects on Monday.' })
})

browserTest('a note that was changed without an event is shown when the sheet opens again', async (t, open) => {
  const app = await startShop(t, ada)
  const { page } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/animals?animal=1`)
  await page.getByText(ada.note).waitFor()
  await page.keyboard.press('Escape')

  await change(app, { note: 'Collects on Monday.' })
  await page.getByRole('link', { name: 'Rex' }).click()

  await page.getByText('Collects on Monday.').waitFor()
})

browserTest('a read key sees the customer and the note and cannot change them', async (t, open) => {
  const app = await startShop(t, ada)
  const { secret } = await app.makeKey({ permission: 'read' })
  const { page } = await open({ key: secret })
  await page.goto(`${app.origin}/#/animals?animal=1`)

  await page.getByText(ada.customer).waitFor()

  await eventually(async () => assert.equal(await page.getByText(ada.note).count(), 1))
  assert.equal(await page.getByRole('button', { name: 'customer or note' }).count(), 0)
})

browserTest('an order is found by its number, its animal or its customer', async (t, open) => {
  const app = await startApp(t)
  for (const [index, [name, customer]] of [
    ['Rex', 'Zoë Adams'],
    ['Luna', 'Grace Hopper'],
    ['Zoe', 'Ada Lovelace'],
  ].entries()) {
    await app.create({ name, categoryId: 1, status: 'available' })
    await app.sendJson('POST /v1/store/orders', { petId: index + 1, customer })
  }
  await app.sendJson('PATCH /v1/store/orders/2', { status: 'cancelled' })
  const { page } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/orders`)
  const find = page.getByRole('searchbox', { name: 'Find' })
  const shows = (numbers: string[]) =>
    eventually(async () => assert.deepEqual(await page.locator('tbody td.number').allInnerTexts(), numbers))
  await shows(['1', '3'])

  await find.fill('adams')
  await shows(['1'])
  await find.fill('zoe')
  await shows(['1', '3'])
  await find.fill('luna')
  await page.getByText('No order matches').waitFor()
  await page.getByRole('link', { name: 'Look in all orders' }).click()
  await shows(['2'])
  await find.fill('3')
  await shows(['3'])
  await page.keyboard.press('Enter')

  await page.getByRole('dialog').getByText('Ada Lovelace').waitFor()
})
