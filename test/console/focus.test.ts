import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { startApp, type TestApp } from '../support/app.ts'
import { browserTest, eventually, holdTimers, type OpenTab } from '../support/browser.ts'

/** A shop with three animals; each is ordered if `areOrdered`. */
async function startShop(t: TestContext, areOrdered: boolean): Promise<TestApp> {
  const app = await startApp(t)
  for (const [index, name] of ['Rex', 'Tom', 'Mia'].entries()) {
    await app.create({ name, categoryId: 1, status: 'available' })
    if (areOrdered) await app.sendJson('POST /v1/store/orders', { petId: index + 1 })
  }
  return app
}

async function openOrders(t: TestContext, open: OpenTab) {
  const app = await startShop(t, true)
  const tab = await open({ key: app.key })
  const endWait = await holdTimers(tab, 8_000)
  await tab.page.goto(`${app.origin}/#/orders`)
  await tab.page.getByRole('row', { name: 'Rex' }).waitFor()
  return { app, page: tab.page, endWait }
}

function hasFocus(page: Page, text: string): Promise<void> {
  const focused = `(document.activeElement.ariaLabel ?? document.activeElement.textContent).trim()`
  return eventually(async () => assert.equal(await page.evaluate(focused), text))
}

browserTest('after an order from a row, the focus is in that row', async (t, open) => {
  const { origin, key } = await startShop(t, false)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  await page.getByRole('button', { name: 'Order Tom' }).focus()

  await page.keyboard.press('Enter')
  await page.getByLabel('Note').press('Control+Enter')
  await page.getByText('Order 1 for Tom was placed').waitFor()
  await page.getByRole('button', { name: 'Order Tom' }).waitFor({ state: 'detached' })

  await eventually(async () =>
    assert.match(await page.evaluate(`document.activeElement.closest('tr')?.textContent ?? ''`), /Tom/),
  )
})

browserTest(
  'when a row goes, the focus is in the row that took its place, and at last on the heading',
  async (t, open) => {
    const { page, endWait } = await openOrders(t, open)
    const rowOfFocus = `document.activeElement.closest('tr')?.textContent ?? document.activeElement.textContent`
    const complete = async (id: number) => {
      await page.getByRole('button', { name: `Complete order ${id}` }).focus()
      await page.keyboard.press('Enter')
      await page.getByText(`Completing order ${id}`).waitFor()
      await endWait()
      await page.getByRole('button', { name: `Complete order ${id}` }).waitFor({ state: 'detached' })
    }

    await complete(2)
    await eventually(async () => assert.match(await page.evaluate(rowOfFocus), /Rex|Mia/))
    await complete(1)
    await eventually(async () => assert.match(await page.evaluate(rowOfFocus), /Mia/))
    await complete(3)

    await hasFocus(page, 'Orders')
  },
)

browserTest('when a deleted animal goes, the focus is in the row that took its place', async (t, open) => {
  const { origin, key } = await startShop(t, false)
  const tab = await open({ key })
  const { page } = tab
  const endWait = await holdTimers(tab, 8_000)
  await page.goto(`${origin}/#/animals`)
  await page.getByRole('link', { name: 'Tom' }).focus()
  await page.keyboard.press('Enter')

  await page.getByRole('button', { name: 'Delete this animal' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Deleting Tom').waitFor()
  await endWait()
  await page.getByRole('link', { name: 'Tom' }).waitFor({ state: 'detached' })

  await eventually(async () =>
    assert.match(await page.evaluate(`document.activeElement.closest('tr')?.textContent ?? ''`), /Mia/),
  )
})

browserTest('Undo has time while it has the focus, and gives the focus back', async (t, open) => {
  const { app, page, endWait } = await openOrders(t, open)
  await page.getByRole('button', { name: 'Complete order 2' }).focus()
  await page.keyboard.press('Enter')
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.focus()

  await endWait()
  assert.equal(await undo.count(), 1)
  await page.keyboard.press('Enter')

  await page.getByText('Order 2 stays open').waitFor()
  await hasFocus(page, 'Complete order 2')
  assert.equal(((await app.send('/v1/store/orders/2')).body as { status: string }).status, 'placed')
})

browserTest('an action whose Undo loses the focus is sent after its time', async (t, open) => {
  const { page, endWait } = await openOrders(t, open)
  await page.getByRole('button', { name: 'Complete order 2' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Undo' }).focus()
  await endWait()

  await page.getByRole('heading', { name: 'Orders' }).focus()
  await endWait()

  await page.getByText('Order 2 was completed').waitFor()
})

browserTest('z and Ctrl+Z undo, also on a sheet and without single keys', async (t, open) => {
  const { app, page } = await openOrders(t, open)
  await page.goto(`${app.origin}/#/orders?order=2`)
  const complete = page.getByRole('dialog').getByRole('button', { name: 'Complete order 2' })

  await complete.click()
  await page.keyboard.press('z')
  await page.getByText('Order 2 stays open').waitFor()

  await page.goto(`${app.origin}/#/settings`)
  await page.getByLabel('Single keys are shortcuts').uncheck()
  await page.goto(`${app.origin}/#/orders?order=2`)
  await complete.click()
  await page.getByText('Completing order 2').waitFor()
  await page.keyboard.press('Control+z')
  await eventually(async () => assert.equal(await page.getByText('Completing order 2').count(), 0))
  assert.equal(((await app.send('/v1/store/orders/2')).body as { status: string }).status, 'placed')
})

browserTest('brackets turn pages on keyboards that need AltGr for them', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  for (let id = 1; id <= 21; id++) await create({ name: `Pet ${id}`, categoryId: 1 })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  await page.getByRole('link', { name: 'Pet 1', exact: true }).waitFor()
  const pressWithAltGr = (sign: string) =>
    page.evaluate(`document.body.dispatchEvent(new KeyboardEvent('keydown', {
      key: '${sign}', ctrlKey: true, altKey: true, modifierAltGraph: true, bubbles: true,
    }))`)

  await pressWithAltGr(']')
  await page.getByRole('link', { name: 'Pet 21' }).waitFor()
  await pressWithAltGr('[')

  await page.getByRole('link', { name: 'Pet 1', exact: true }).waitFor()
})
