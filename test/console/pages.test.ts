import assert from 'node:assert/strict'
import { startApp } from '../support/app.ts'
import { browserTest } from '../support/browser.ts'
import { fillShop } from '../support/shop.ts'

browserTest('the pager is right when animals are added and deleted', async (t, open) => {
  const { origin, key, storage, send, create } = await startApp(t)
  await fillShop(storage, 45)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  await page.getByRole('link', { name: 'Next' }).click()
  await page.getByText('Page 2 · 45 animals').waitFor()
  await page.getByText('Live', { exact: true }).waitFor()

  for (let id = 1; id <= 3; id++) await send(`/v1/pets/${id}`, { method: 'DELETE' })
  await page.getByText('Page 2 · 42 animals').waitFor()
  await create({ name: 'Momo', categoryId: 1 })

  await page.getByText('Page 2 · 43 animals').waitFor()
})

browserTest('the pager leads to the last page, back from there, and to the first', async (t, open) => {
  const { origin, key, storage, create } = await startApp(t)
  await fillShop(storage, 45)
  const { page } = await open({ key })
  const ends = () =>
    page.locator('td.number').evaluateAll((all) => [all[0]?.textContent, all.at(-1)?.textContent, all.length])
  await page.goto(`${origin}/#/animals`)
  await page.getByText('Page 1 · 45 animals').waitFor()

  await page.getByRole('link', { name: 'Last page' }).click()
  await page.getByText('Last page · 45 animals').waitFor()
  assert.deepEqual(await ends(), ['26', '45', 20])
  await page.getByText('Live', { exact: true }).waitFor()
  await create({ name: 'Momo', categoryId: 1 })
  await page.getByText('Last page · 46 animals').waitFor()
  assert.deepEqual(await ends(), ['27', '46', 20])

  await page.reload()
  await page.getByRole('link', { name: 'Previous' }).click()
  await page.getByText('Page 2 from the end · 46 animals').waitFor()
  assert.deepEqual(await ends(), ['7', '26', 20])
  await page.getByRole('link', { name: 'Previous' }).click()
  await page.getByText('Page 3 from the end · 46 animals').waitFor()
  assert.deepEqual(await ends(), ['1', '6', 6])
  await page.getByRole('link', { name: 'Next' }).click()
  await page.getByText('Page 2 from the end · 46 animals').waitFor()
  await page.getByRole('link', { name: 'First page' }).click()
  await page.getByText('Page 1 · 46 animals').waitFor()
  assert.deepEqual(await ends(), ['1', '20', 20])
})

browserTest('an emptied last page leads to the page before', async (t, open) => {
  const { origin, key, storage, send } = await startApp(t)
  await fillShop(storage, 22)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  await page.getByRole('link', { name: 'Next' }).click()
  await page.getByText('Page 2 · 22 animals').waitFor()
  await page.getByText('Live', { exact: true }).waitFor()

  for (const id of [21, 22]) await send(`/v1/pets/${id}`, { method: 'DELETE' })
  await page.getByText('Nothing on this page any more').waitFor()
  await page.getByRole('link', { name: 'Go to the page before' }).click()

  await page.getByText('20 animals').waitFor()
})

browserTest('Back does not reopen a closed sheet', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  await page.getByRole('link', { name: 'Rex' }).click()
  await page.getByLabel('Name').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await page.goBack()

  assert.equal(await page.getByRole('dialog').count(), 0)
  assert.equal(page.url(), `${origin}/#/animals`)
})

browserTest('columns keep their width from page to page', async (t, open) => {
  const { origin, key, create, storage } = await startApp(t)
  await fillShop(storage, 20)
  await create({ name: 'W'.repeat(300), categoryId: 4711 })
  const { page } = await open({ key })
  const columns = () => page.locator('th').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left))
  await page.goto(`${origin}/#/animals`)
  await page.getByText('Page 1').waitFor()
  const before = await columns()

  await page.getByRole('link', { name: 'Next' }).click()
  await page.getByText('WWW').first().waitFor()

  assert.deepEqual(await columns(), before)
})

browserTest('an unknown view leads to the stock', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })
  for (const view of ['constructor', '__proto__', 'toString', 'nothing']) {
    await page.goto(`${origin}/?${view}#/${view}`)

    await page.getByRole('heading', { name: 'Stock' }).waitFor()
    assert.equal(await page.title(), 'Stock · Pet Store')
  }
})

browserTest('an impossible number in the address sends no request', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page, requests } = await open({ key })
  for (const id of ['../keys', '1/../2', 'abc', '-1', '007', '9223372036854775808']) {
    await page.goto(`${origin}/#/stock?animal=${encodeURIComponent(id)}`)

    await page.getByText(`No animal has the number ${id}`).waitFor()
  }
  const asked = requests.filter((request) => /^GET \/v1\/(?!events|store\/inventory|categories)/.test(request))
  assert.deepEqual(asked, [])
})
