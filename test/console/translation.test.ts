import assert from 'node:assert/strict'
import { startApp } from '../support/app.ts'
import { browserTest, eventually, type Tab } from '../support/browser.ts'
import { startShop, views, visit } from '../support/console-views.ts'

/** Does what translators of browsers do: each text node becomes an element with the same text, now and later. */
async function translate({ runAtStart }: Tab): Promise<void> {
  await runAtStart(`addEventListener('DOMContentLoaded', () => {
    const done = new WeakSet()
    const translate = () => {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const found = []
      while (walker.nextNode()) found.push(walker.currentNode)
      for (const text of found) {
        if (done.has(text) || text.data.trim() === '' || text.parentNode.closest('script, style, textarea, option')) continue
        const font = document.createElement('font')
        font.append(document.createElement('font'))
        font.firstChild.textContent = text.data
        done.add(font.firstChild.firstChild)
        text.replaceWith(font)
      }
    }
    new MutationObserver(translate).observe(document.body, { childList: true, characterData: true, subtree: true })
    translate()
  })`)
}

browserTest('what changes is seen in a page that the browser translates', async (t, open) => {
  const app = await startApp(t)
  await app.create({ name: 'Rex', categoryId: 1, status: 'available' })
  await app.sendJson('POST /v1/store/orders', { petId: 1, customer: 'Ada' })
  const tab = await open({ key: app.key })
  const { page } = tab
  await translate(tab)

  await page.goto(app.origin)
  const total = page.locator('.stock-total')
  await eventually(async () => assert.match(await total.innerText(), /^1\b/))
  await page.locator('font').first().waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  await app.create({ name: 'Tom', categoryId: 1, status: 'available' })
  await eventually(async () => assert.match(await total.innerText(), /^2\b/))

  await page.goto(`${app.origin}/#/orders?order=1`)
  const sheet = page.getByRole('dialog')
  await eventually(async () => assert.match(await sheet.innerText(), /Open/))
  await app.sendJson('PATCH /v1/store/orders/1', { status: 'cancelled' })
  await sheet.locator('.history li', { hasText: 'Cancelled' }).waitFor()
  await eventually(async () => assert.equal((await sheet.locator('.status').innerText()).trim(), 'Cancelled'))
})

browserTest('every view has the same text in a page that the browser translates', async (t, open) => {
  // Two shops: some views change theirs.
  const shops = [await startShop(t), await startShop(t)] as const
  const tabs = [await open({ key: shops[0].key }), await open({ key: shops[1].key })] as const
  await translate(tabs[1])
  const textOf = async (tab: Tab) => {
    const text = (await tab.page.evaluate('document.body.innerText')) as string
    return text.replace(/event \S+|[\w:.-]{12,}|\d\d:\d\d/g, '…').replace(/\s+/g, ' ')
  }

  for (const [index, view] of views.entries()) {
    for (const n of [0, 1] as const) await visit(tabs[n].page, shops[n].origin, view, views[index - 1])
    await eventually(async () => assert.equal(await textOf(tabs[1]), await textOf(tabs[0]), view.name))
  }
})
