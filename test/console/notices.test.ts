import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import { startApp } from '../support/app.ts'
import { assertAccessible } from '../support/axe.ts'
import { browserTest, eventually, holdTimers } from '../support/browser.ts'
import { fillShop } from '../support/shop.ts'

browserTest('a failure has a warning mark, is an alert, and is shown until it is closed', async (t, open) => {
  const { origin, key, create, sendJson } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1, status: 'available' })
  await sendJson('POST /v1/store/orders', { petId: 1 })
  const { page } = await open({ key })
  await page.clock.install()
  await page.goto(`${origin}/#/orders`)
  await page.route('**/v1/store/orders/1', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
  )
  await page.getByRole('button', { name: 'Complete order 1' }).click()
  await page.clock.fastForward(8_000)
  await page.clock.runFor(20_000)

  const failure = page.getByRole('alert').filter({ hasText: 'Order 1 was not completed.' })
  await failure.waitFor()
  assert.equal(await page.locator('.toast > svg path').getAttribute('d'), 'M12 4l9 16H3zM12 10v4M12 17h.01')
  await failure.getByRole('button', { name: 'Try again' }).focus()
  await page.getByRole('link', { name: 'Animals', exact: true }).focus()
  await page.clock.runFor(60_000)
  assert.equal(await failure.count(), 1)
  await assertAccessible(page, 'a failure')

  await failure.getByRole('button', { name: 'Dismiss' }).click()
  await failure.waitFor({ state: 'detached' })
})

browserTest('many failures leave room for the page, and go when others end the orders', async (t, open) => {
  const { origin, key, create, sendJson } = await startApp(t)
  const ids = Array.from({ length: 12 }, (_, index) => index + 1)
  for (const id of ids) {
    await create({ name: `Rex ${id}`, categoryId: 1, status: 'available' })
    await sendJson('POST /v1/store/orders', { petId: id })
  }
  const { page } = await open({ key })
  await page.goto(`${origin}/#/orders`)
  await page.getByText('Live', { exact: true }).waitFor()
  await page.route('**/v1/store/orders/*', (route) =>
    route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
  )
  for (const id of ids) await page.getByRole('button', { name: `Complete order ${id}`, exact: true }).click()
  // What waits is sent.
  await page.evaluate(`dispatchEvent(new Event('pagehide'))`)
  const failures = page.getByRole('alert')
  await eventually(async () => assert.equal(await failures.count(), 12))

  for (const failure of [failures.first(), failures.last()])
    await failure.getByRole('button', { name: 'Dismiss' }).click()
  const { y = 0 } = (await page.locator('.notices').boundingBox()) ?? {}
  assert.ok(y > 300, `the failures begin at ${y} of 900 pixels`)

  for (const id of ids) await sendJson(`PATCH /v1/store/orders/${id}`, { status: 'completed' })
  await eventually(async () => assert.equal(await failures.count(), 0))
})

for (const width of [1280, 390]) {
  browserTest(
    `no notice covers what can be done with chosen animals, or the end of a question: ${width} px`,
    async (t, open) => {
      const { origin, key, storage } = await startApp(t)
      await fillShop(storage, 30)
      const tab = await open({ key, viewport: { width, height: 780 } })
      const { page } = tab
      // The notice stays.
      await holdTimers(tab, 8_000)
      await page.goto(`${origin}/#/animals?animal=new`)
      await page.getByLabel('Name').fill('Momo')
      await page.getByRole('dialog').getByLabel('Category').fill('1')
      await page.keyboard.press('Enter')
      const notice = page.locator('.toast')
      await notice.waitFor()
      await page.getByRole('dialog').waitFor({ state: 'detached' })

      await page.getByLabel('Choose all animals on this page').check()
      await assertApart(notice, page.locator('.bulk-bar'))
      await page.getByRole('button', { name: 'Change status…' }).click()
      await assertApart(notice, page.getByRole('dialog').locator('.actions'))
    },
  )
}

async function assertApart(notice: Locator, other: Locator): Promise<void> {
  await eventually(async () => {
    const [one, two] = [await notice.boundingBox(), await other.boundingBox()]
    assert.ok(one !== null && two !== null)
    assert.ok(one.y + one.height <= two.y || two.y + two.height <= one.y, JSON.stringify([one, two]))
  })
}
