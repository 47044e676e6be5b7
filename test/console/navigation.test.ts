import assert from 'node:assert/strict'
import { fillShop } from '../support/shop.ts'
import { startApp } from '../support/app.ts'
import { assertAccessible } from '../support/axe.ts'
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

browserTest(
  'a sheet with a long name has no part that only the mouse can scroll, and is printed alone',
  async (t, open) => {
    const { origin, key, create, makeKey } = await startApp(t)
    const name = 'x'.repeat(2_000)
    await create({ name, categoryId: 1 })
    const { page } = await open({ key })
    await page.goto(`${origin}/#/animals?animal=1`)
    const sheet = page.getByRole('dialog')
    await sheet.getByLabel('Name').waitFor()

    await assertAccessible(page, 'animals')
    await page.emulateMedia({ media: 'print' })
    assert.equal(await page.getByRole('heading', { level: 1 }).isVisible(), false)
    assert.equal(await sheet.isVisible(), true)
    await page.emulateMedia({ media: null })

    const { secret } = await makeKey({ permission: 'read' })
    const reader = await open({ key: secret })
    await reader.page.goto(`${origin}/#/animals?animal=1`)
    await reader.page.getByRole('dialog').locator('dd', { hasText: name }).waitFor()
  },
)

browserTest('a click beside the text of a column head sorts too', async (t, open) => {
  const { origin, key, storage } = await startApp(t)
  await fillShop(storage, 3)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)

  const head = page.getByRole('columnheader', { name: 'Name' })
  const box = await head.boundingBox()
  await head.click({ position: { x: (box?.width ?? 0) - 4, y: 4 } })

  await page.waitForURL(/sort=name/)
})
