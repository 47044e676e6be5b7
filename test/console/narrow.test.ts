import assert from 'node:assert/strict'
import { startApp } from '../support/app.ts'
import { assertAccessible } from '../support/axe.ts'
import { browserTest } from '../support/browser.ts'

browserTest('on a phone the names have most of the room, and the list starts in the upper half', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1, status: 'available' })
  const { page } = await open({ key, viewport: { width: 390, height: 780 } })
  await page.goto(`${origin}/#/animals`)
  await page.getByRole('link', { name: 'Rex' }).waitFor()

  for (const [width, least] of [
    [390, 200],
    [320, 140],
  ] as const) {
    await page.setViewportSize({ width, height: 780 })
    const name = await page.locator('td.name').boundingBox()
    const list = await page.locator('.table-card').boundingBox()
    assert.ok((name?.width ?? 0) >= least, `${width}: the names have ${name?.width} px`)
    assert.ok((list?.y ?? 999) <= 310, `${width}: the list starts ${list?.y} px down`)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
  }
  await page.getByRole('row', { name: /Rex.*1.*Available/ }).waitFor()
  await page.getByRole('link', { name: 'Add an animal' }).waitFor()
  await assertAccessible(page, 'animals')
})

browserTest('on a screen of little height no bar stays while the page is read', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  for (let at = 0; at < 20; at++) await create({ name: `Rex ${at}`, categoryId: 1 })
  const { page } = await open({ key, viewport: { width: 320, height: 256 } })
  await page.goto(`${origin}/#/animals`)
  const last = page.getByRole('link', { name: 'Rex 19' })

  await last.scrollIntoViewIfNeeded()

  assert.ok(((await page.locator('.top').boundingBox())?.y ?? 0) < -200)
  assert.ok(((await page.locator('.ways').boundingBox())?.y ?? 0) < -100)
  await page.getByRole('link', { name: 'Stock' }).click()
  await page.getByRole('heading', { name: 'Stock' }).waitFor()
})

browserTest('an old link to a page of the list says so, and leads to the first page', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  const { page } = await open({ key })

  await page.goto(`${origin}/#/animals?cursor=old`)
  await page.getByText('This link leads to a page of the list that is not there any more.').waitFor()
  await page.getByRole('alert').getByRole('link', { name: 'First page' }).click()

  await page.getByRole('link', { name: 'Rex' }).waitFor()
  assert.equal(new URL(page.url()).hash, '#/animals')
})

browserTest('the activity is in the navigation on a phone, and at 200 % zoom', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key, viewport: { width: 390, height: 844 } })
  await page.goto(`${origin}/#/settings`)

  for (const width of [320, 390, 640]) {
    await page.setViewportSize({ width, height: 800 })
    for (const name of ['Stock', 'Categories', 'Activity']) {
      await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name }).click()
      await page.getByRole('heading', { name, level: 1 }).waitFor()
    }
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
    await page.getByRole('link', { name: 'Settings' }).click()
  }
})

browserTest('an empty shop points to the import', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)

  await page.getByRole('button', { name: 'Add many from a file' }).click()

  await page.getByRole('dialog', { name: 'Import animals' }).waitFor()
})
