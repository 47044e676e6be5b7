import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { startApp } from '../support/app.ts'
import { assertAccessible } from '../support/axe.ts'
import { browserTest } from '../support/browser.ts'

browserTest('an export for a spreadsheet has the names of categories, and warns of formulas', async (t, open) => {
  const { origin, key, create, sendJson } = await startApp(t)
  await sendJson('PUT /v1/categories/7', { name: 'Große Hunde' })
  await create({ name: '=HYPERLINK("http://x")', categoryId: 7, status: 'sold' })
  await create({ name: 'Rex', categoryId: 8, status: 'sold' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals?status=sold&category=7`)

  await page.getByRole('row', { name: /HYPERLINK/ }).waitFor()
  await page.getByRole('button', { name: 'Export' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export animals' })
  await dialog.getByText('All animals that match the filters, on all pages.').waitFor()
  await dialog.getByRole('button', { name: 'Export' }).click()
  await dialog.getByText('1 cell looks like a formula').waitFor()
  await assertAccessible(page, 'export')
  const downloading = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save anyway' }).click()
  const download = await downloading

  assert.match(download.suggestedFilename(), /^animals-\d{4}-\d\d-\d\d-sold-große-hunde\.csv$/)
  assert.match(
    await text(await download.createReadStream()),
    /^\ufeff?id[,;]name[,;]categoryId[,;]status[,;]categoryName\n1[,;]"=HYPERLINK\(""http:\/\/x""\)"[,;]7[,;]sold[,;]Große Hunde\n$/,
  )
})

browserTest('a search without a word filters nothing, and an export of all animals says so', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 7 })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals?find=!!&status=lost`)

  await page.getByRole('row', { name: /Rex/ }).waitFor()
  await page.getByRole('button', { name: 'Export' }).click()

  await page.getByRole('dialog').getByText('All animals of the shop.').waitFor()
})

browserTest('orders are exported as they are filtered, and formulas in customers are told', async (t, open) => {
  const { origin, key, create, sendJson } = await startApp(t)
  for (const customer of ['Ada', '=1+1 Ada', 'Bob']) {
    const { body } = await create({ name: 'Rex', categoryId: 1, status: 'available' })
    await sendJson('POST /v1/store/orders', { petId: (body as { id: number }).id, customer })
  }
  assert.equal((await sendJson('PATCH /v1/store/orders/1', { status: 'completed' })).status, 200)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/orders?find=ada`)

  await page.getByRole('row', { name: /=1\+1 Ada/ }).waitFor()
  await page.getByRole('button', { name: 'Export' }).click()
  const dialog = page.getByRole('dialog', { name: 'Export orders' })
  await dialog.getByText('All open orders whose customer matches “ada”. Those that were found only by their').waitFor()
  await assertAccessible(page, 'export of orders')
  await dialog.getByRole('button', { name: 'Export' }).click()
  await dialog.getByText('1 cell looks like a formula').waitFor()
  const downloading = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save anyway' }).click()
  const download = await downloading

  assert.match(download.suggestedFilename(), /^orders-\d{4}-\d\d-\d\d-open-ada\.csv$/)
  const lines = (await text(await download.createReadStream())).trimEnd().split('\n')
  assert.match(lines[0] ?? '', /^\ufeff?id[,;]petId[,;]/)
  assert.deepEqual([lines.length, lines[1]?.includes('=1+1 Ada')], [2, true])
})
