import assert from 'node:assert/strict'
import { fillShop } from '../support/shop.ts'
import { startApp } from '../support/app.ts'
import { browserTest, eventually } from '../support/browser.ts'

browserTest('keys that are typed right after a shortcut go where it leads', async (t, open) => {
  const { origin, key, storage } = await startApp(t)
  await fillShop(storage, 45)
  const { page } = await open({ key })
  const find = page.getByRole('searchbox', { name: 'Find' })

  for (const view of ['Stock', 'Settings']) {
    await page.goto(`${origin}/#/${view.toLowerCase()}`)
    await page.getByRole('heading', { level: 1, name: view }).waitFor()
    await page.keyboard.type('/no sat')
    await eventually(async () => assert.equal(await find.inputValue(), 'no sat'))
  }

  await page.goto(`${origin}/#/keys`)
  await page.getByRole('heading', { level: 1, name: 'Keys' }).waitFor()
  await page.keyboard.type('nWolke')
  const name = page.getByRole('dialog').getByLabel('Name')
  await eventually(async () => assert.equal(await name.inputValue(), 'Wolke'))
})

browserTest('closing a sheet goes back, and Back returns to the place in the list', async (t, open) => {
  const { origin, key, storage } = await startApp(t)
  await fillShop(storage, 20)
  const { page } = await open({ key, viewport: { width: 1000, height: 500 } })
  await page.goto(`${origin}/#/stock`)
  await page.getByRole('link', { name: 'Animals', exact: true }).click()
  const scrollTop = () => page.evaluate('scrollY')

  for (const row of [1, 2, 3]) {
    await page.locator('tbody td.name a').nth(row).click()
    await page.getByRole('dialog').getByLabel('Name').waitFor()
    // The second Escape finds nothing to close.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.waitForURL(/#\/animals$/)
  }
  await page.evaluate('scrollTo(0, 300)')
  await page.getByRole('link', { name: 'Orders', exact: true }).click()
  await page.getByText('No open orders').waitFor()
  await eventually(async () => assert.equal(await scrollTop(), 0))

  await page.goBack()
  await eventually(async () => assert.equal(await scrollTop(), 300))
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Stock' }).waitFor()
})

browserTest('a sheet that was opened by its address closes to its list', async (t, open) => {
  const { origin, key, storage } = await startApp(t)
  await fillShop(storage, 3)
  const { page } = await open({ key })

  await page.goto(`${origin}/#/animals?animal=2`)
  await page.getByRole('dialog').getByLabel('Name').waitFor()
  await page.getByRole('button', { name: 'Close' }).click()

  await page.waitForURL(/#\/animals$/)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
})
