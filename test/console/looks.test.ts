import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { startApp } from '../support/app.ts'
import { assertAccessible } from '../support/axe.ts'
import { browserTest, eventually } from '../support/browser.ts'
import { type Look, startShop, views, visit } from '../support/console-views.ts'
import { fillShop } from '../support/shop.ts'

/** Between two limits of the style sheets (44, 62 and 80 rem), what fits the narrowest page fits the others. */
async function assertFits(page: Page, name: string): Promise<void> {
  for (const width of [320, 704, 992, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await eventually(async () =>
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, `${name}, ${width}`),
    )
  }
}

for (const some of [views.slice(0, 10), views.slice(10)]) {
  const names = some.map(({ name }) => name).join(', ')
  browserTest(`axe finds no fault in light or dark mode, and nothing overflows: ${names}`, async (t, open) => {
    const { origin, key } = await startShop(t)
    const { page } = await open({ key })
    for (const [index, view] of some.entries()) {
      await visit(page, origin, view, some[index - 1])
      await assertFits(page, view.name)
      if (view.sameAs === undefined) await assertAccessible(page, view.name)
    }
  })
}

browserTest('axe finds no fault in the animals on a phone', async (t, open) => {
  const { origin, key } = await startShop(t)
  const { page } = await open({ key, viewport: { width: 390, height: 800 } })

  await visit(page, origin, views.find(({ name }) => name === 'the animals') as Look)

  await assertAccessible(page, 'the animals on a phone')
})

browserTest('axe finds no fault in the form to sign in', async (t, open) => {
  const { origin } = await startApp(t)
  const { page } = await open()

  await page.goto(`${origin}/#sign-in=used`)
  await page.getByText('was used already').waitFor()

  await assertAccessible(page, 'signing in')
})

browserTest('the page follows the dark mode of the system', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })
  await page.goto(origin)
  await page.locator('h1').waitFor()
  const brightness = async (colorScheme: 'light' | 'dark') => {
    await page.emulateMedia({ colorScheme })
    const lightness = (await page.evaluate(`getComputedStyle(document.documentElement).backgroundColor`)) as string
    return Number(/oklch\(([\d.]+)/.exec(lightness)?.[1])
  }

  assert.ok((await brightness('light')) > 0.9)
  assert.ok((await brightness('dark')) < 0.25)
})

browserTest('single-key shortcuts can be turned off', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/settings`)

  await page.getByLabel('Single keys are shortcuts').uncheck()
  await page.locator('h1').focus()
  await page.keyboard.press('n')
  await page.keyboard.press('?')

  assert.equal(await page.getByRole('dialog').count(), 0)
})

browserTest('a category name of 1,000 characters does not make rows higher', async (t, open) => {
  const { origin, key, create, storage } = await startApp(t)
  await storage.categories.put({ id: 1n, name: 'W'.repeat(1000) })
  await create({ name: 'Rex', categoryId: 1 })
  const { page } = await open({ key, viewport: { width: 320, height: 640 } })
  await page.goto(`${origin}/#/animals`)
  await page.locator('tbody .below', { hasText: 'WWW' }).waitFor()

  const box = await page.locator('tbody tr').boundingBox()

  assert.ok(box !== null && box.height < 120, JSON.stringify(box))
})

browserTest('a printed page has only the view', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1, status: 'available' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  await page.getByRole('link', { name: 'Rex' }).waitFor()

  await page.emulateMedia({ media: 'print' })

  for (const hidden of ['.top', '.filters', '.row-action'])
    await eventually(async () => assert.ok(await page.locator(hidden).first().isHidden(), hidden))
  await eventually(async () => assert.ok(await page.getByRole('link', { name: 'Rex' }).isVisible()))
})

browserTest('a sheet is printed on the whole page, in dark ink, without what can be pressed', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1, status: 'available' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals?animal=1`)
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'Place an order' }).waitFor()

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })

  assert.deepEqual(await sheet.boundingBox().then((box) => [box?.x, box?.width]), [0, 1280])
  assert.equal(await sheet.getByRole('button').filter({ visible: true }).count(), 0)
  assert.ok(await page.locator('main > .view').isHidden())
  const [red = 0] =
    String(await page.evaluate(`getComputedStyle(document.querySelector('dialog')).color`)).match(/\d+/) ?? []
  assert.ok(Number(red) < 80)
})

browserTest('the current view is marked in forced-colors mode', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto(origin)
  const outline = (view: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('.ways [href="#/${view}"]')).outlineStyle`)

  await page.getByRole('link', { name: 'Stock', exact: true }).waitFor()

  await eventually(async () => assert.deepEqual([await outline('stock'), await outline('orders')], ['solid', 'none']))
})

browserTest('a field does not move when it has an error', async (t, open) => {
  const { origin, key, storage } = await startShop(t)
  for (const id of [90n, 91n]) await storage.categories.put({ id, name: 'Snakes' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/categories`)
  const top = async () => (await page.locator('.category-list').boundingBox())?.y
  await page.getByLabel('Find or create').fill('Snakes')
  const before = await top()

  await page.keyboard.press('Enter')
  await page.getByText('Several categories are called that').waitFor()

  await eventually(async () => assert.equal(await top(), before))
})

browserTest('counts of one are singular', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  const { page } = await open({ key })
  await page.goto(origin)
  await page.locator('.stock-total').waitFor()

  await eventually(async () => assert.doesNotMatch(await page.locator('main').innerText(), /1\s+animals/))
  await page.getByText('1 animal in all.').waitFor({ state: 'attached' })
})

browserTest('no placeholder is cut off, at any width', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })
  for (const path of ['#/animals', '#/orders', '#/categories']) {
    await page.goto(`${origin}/${path}`)
    await page.getByRole('searchbox').waitFor()
    for (const width of [1280, 992, 704, 390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      assert.deepEqual(await page.evaluate(cutPlaceholders), [], `${path}, ${width}`)
    }
  }
})

const cutPlaceholders = `[...document.querySelectorAll('input[placeholder]')].flatMap((input) => {
  const style = getComputedStyle(input)
  const context = document.createElement('canvas').getContext('2d')
  context.font = style.font
  const room = input.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
  const needed = context.measureText(input.placeholder).width
  return needed > room ? [input.placeholder + ': ' + needed + ' of ' + room + ' px'] : []
})`

browserTest('no choice is cut off, at any width', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/settings`)
  await page.getByText('Comfortable').waitFor()
  for (const width of [1440, 1240, 992, 704, 390, 320]) {
    await page.setViewportSize({ width, height: 800 })
    const hidden = await page.evaluate(
      `[...document.querySelectorAll('.choices')].map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)`,
    )
    assert.deepEqual(hidden, [0], `${width}`)
  }
})

browserTest('the statuses to choose from are on one line in the question about many animals', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  const { page } = await open({ key, viewport: { width: 1280, height: 800 } })
  await page.goto(`${origin}/#/animals`)
  await page.getByLabel('Choose all animals on this page').check()
  await page.getByRole('button', { name: 'Change status…' }).click()
  const choices = page.getByRole('dialog').locator('.choices > label')
  await choices.first().waitFor()

  const boxes = await Promise.all((await choices.all()).map((choice) => choice.boundingBox()))

  assert.equal(boxes.length, 4)
  assert.equal(new Set(boxes.map((box) => box?.y)).size, 1, JSON.stringify(boxes))
})

browserTest('an order says what it is once, at any width', async (t, open) => {
  const { origin, key, create, sendJson } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1, status: 'available' })
  await sendJson('POST /v1/store/orders', { petId: 1, note: 'Saturday' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/orders`)
  const row = page.locator('tbody tr')
  await row.getByText('Rex').waitFor()
  for (const width of [1280, 820, 390]) {
    await page.setViewportSize({ width, height: 800 })
    assert.equal((await row.innerText()).match(/\bOpen\b/g)?.length, 1, `${width}`)
    assert.equal((await row.innerText()).match(/\d\d:\d\d/g)?.length, 1, `${width}`)
  }
})

browserTest('a right-to-left name does not affect other text', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex\u202e', categoryId: 1, status: 'available' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals?animal=1`)

  await page.getByRole('button', { name: 'Place an order' }).click()
  await page.getByRole('button', { name: 'Place the order' }).click()

  const name = page.locator('.toast bdi')
  await name.waitFor()
  await eventually(async () => assert.equal(await name.innerText(), 'Rex\u202e'))
})

browserTest('a notice leaves the last row free once the page is scrolled to its end', async (t, open) => {
  const { origin, key, storage, create } = await startApp(t)
  await fillShop(storage, 19)
  await create({ name: 'Last', categoryId: 1, status: 'available' })
  const { page } = await open({ key })
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 700 })
    await page.goto(`${origin}/?${width}#/animals?animal=new`)
    await page.getByLabel('Name').fill('Momo')
    await page.getByRole('dialog').getByLabel('Category').fill('1')
    await page.keyboard.press('Enter')
    const toast = page.locator('.toast')
    await toast.waitFor()

    await eventually(async () => {
      await page.evaluate('scrollTo(0, document.body.scrollHeight)')
      const [row, notice] = [await page.locator('tbody tr').last().boundingBox(), await toast.boundingBox()]

      assert.ok(row !== null && notice !== null && row.y + row.height <= notice.y, JSON.stringify([row, notice]))
    })
  }
})

browserTest('every status of an animal can be seen on a phone without scrolling', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key, viewport: { width: 390, height: 780 } })
  await page.goto(`${origin}/#/animals?animal=new`)
  await page.getByLabel('Name').waitFor()

  const hidden = await page.evaluate(
    `(() => { const c = document.querySelector('dialog .choices'); return c.scrollWidth - c.clientWidth })()`,
  )

  assert.equal(hidden, 0)
})
