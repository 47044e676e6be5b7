import assert from 'node:assert/strict'
import { startApp } from '../support/app.ts'
import { browserTest, eventually, holdTimers } from '../support/browser.ts'

const views = ['Stock', 'Animals', 'Orders', 'Activity', 'Keys', 'Settings']

browserTest('one box finds animals, orders, customers, categories and actions from every view', async (t, open) => {
  const app = await startApp(t)
  await app.sendJson('POST /v1/categories', { name: 'Reptiles' })
  await app.create({ name: 'Rex', categoryId: 1, status: 'available' })
  await app.sendJson('POST /v1/store/orders', { petId: 1, customer: 'Reinhard Adams' })
  const { page } = await open({ key: app.key })
  const palette = page.getByRole('dialog', { name: 'Find or do something' })
  const selected = palette.getByRole('option', { selected: true })

  const found = ['Rex', 'Order 1 for Reinhard Adams', 'Reinhard Adams', 'Reptiles']
  for (const view of views) {
    await page.goto(`${app.origin}/#/${view.toLowerCase()}`)
    await page.getByRole('heading', { level: 1, name: view }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('re')
    await eventually(async () =>
      assert.deepEqual(
        (await palette.getByRole('option').allInnerTexts()).map((text) => text.split('\n')[0]),
        [...found, 'Go to Categories', 'Go to Orders', 'New order', 'Export orders'],
      ),
    )
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
  }

  await page.keyboard.press('Control+k')
  // Enter waits for what is found.
  await page.keyboard.type('rex')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Animal 1' }).waitFor()

  // Also over a sheet, while something is typed.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('#1')
  await eventually(async () => assert.match(await selected.innerText(), /^Rex/))
  await page.keyboard.press('ArrowDown')
  await eventually(async () => assert.match(await selected.innerText(), /^Order 1/))
  const activeId = await palette.getByRole('combobox').getAttribute('aria-activedescendant')
  assert.equal(await selected.getAttribute('id'), activeId)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Order 1' }).getByText('Reinhard Adams').waitFor()

  await page.keyboard.press('Control+k')
  await page.keyboard.type('order 1')
  await eventually(async () => assert.match(await selected.innerText(), /^Order 1/))
  await page.keyboard.press('Escape')

  await page.keyboard.press('Control+k')
  await palette.getByRole('combobox').fill('reptiles')
  await palette.getByRole('option', { name: 'Reptiles' }).click()
  await page.waitForURL(/#\/animals\?category=1$/)

  await page.keyboard.press('Control+k')
  await page.keyboard.type('sign out')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
})

browserTest('actions of other views are begun from the box, with the filters of the open view', async (t, open) => {
  const app = await startApp(t)
  await app.create({ name: 'Rex', categoryId: 1, status: 'sold' })
  const { page } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/stock`)
  await page.getByRole('heading', { level: 1, name: 'Stock' }).waitFor()

  for (const [typed, dialog] of [
    ['invite', 'Invite a colleague'],
    ['import', 'Import animals'],
    ['export orders', 'Export orders'],
    ['export ani', 'Export animals'],
  ] as const) {
    await page.keyboard.press('Control+k')
    await page.keyboard.type(typed)
    await page.getByRole('option', { name: dialog }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: dialog }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  }

  await page.goto(`${app.origin}/#/animals?status=sold`)
  await page.getByRole('link', { name: 'Rex' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('export animals')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByText('All animals that match the filters').waitFor()
})

browserTest('the box says what could not be searched, and finds the rest', async (t, open) => {
  const app = await startApp(t)
  await app.create({ name: 'Rex', categoryId: 1 })
  const { page } = await open({ key: app.key })
  await page.route('**/v1/categories?name=*', (route) =>
    route.fulfill({ status: 400, json: { code: 'invalid_parameter', message: 'Not this.', status: 400 } }),
  )
  await page.goto(`${app.origin}/#/stock`)

  await page.getByRole('button', { name: 'Find or do something' }).click()
  await page.keyboard.type('rex')

  await page.getByRole('alert').getByText('Not everything could be searched. Not this.').waitFor()
  await page.getByRole('option', { name: 'Rex' }).waitFor()
})

browserTest('Enter before the results runs no action that was not meant', async (t, open) => {
  const app = await startApp(t)
  const { page } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/stock`)
  await page.getByRole('heading', { level: 1, name: 'Stock' }).waitFor()
  const { promise: entered, resolve: goOn } = Promise.withResolvers<void>()
  await page.route('**/v1/pets?*', async (route) => {
    await entered
    await route.continue()
  })

  await page.keyboard.press('Control+k')
  await page.keyboard.type('snout')
  await page.keyboard.press('Enter')
  goOn()
  await page.getByRole('status').getByText('1 result').waitFor()
  assert.equal(await page.getByRole('option', { name: 'Sign out' }).count(), 1)

  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
})

browserTest('a search that has not begun when its user signs out reports no error', async (t, open) => {
  const app = await startApp(t)
  const tab = await open({ key: app.key })
  const search = await holdTimers(tab, 200)
  await tab.page.goto(`${app.origin}/#/stock`)
  await tab.page.getByRole('heading', { level: 1, name: 'Stock' }).waitFor()

  await tab.page.keyboard.press('Control+k')
  await tab.page.keyboard.type('sign out')
  await tab.page.keyboard.press('Enter')
  await tab.page.getByRole('button', { name: 'Sign in' }).waitFor()
  await search()
  // An error of the page is reported before this is answered.
  await tab.page.evaluate('new Promise((resolve) => setTimeout(resolve))')
})

browserTest('the keys of a view work as soon as it is shown', async (t, open) => {
  const app = await startApp(t)
  const { page, runAtStart } = await open({ key: app.key })
  // Before the view is painted.
  await runAtStart(`new MutationObserver((_changes, observer) => {
    if (document.querySelector('main h1')?.textContent !== 'Stock') return
    observer.disconnect()
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }))
  }).observe(document, { childList: true, subtree: true })`)

  await page.goto(`${app.origin}/#/stock`)

  await page.getByRole('dialog', { name: 'Find or do something' }).waitFor()
})

browserTest('every shortcut works from every view', async (t, open) => {
  const app = await startApp(t)
  await app.create({ name: 'Rex', categoryId: 1 })
  const { page } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/stock`)
  const title = (name: string) => page.getByRole('heading', { level: 1, name })
  const dialog = (name: string) => page.getByRole('dialog', { name })
  const shortcuts: [string, () => { waitFor(): Promise<void> }][] = [
    ['s', () => title('Stock')],
    ['a', () => title('Animals')],
    ['o', () => title('Orders')],
    ['/', () => page.locator('#find:focus')],
    ['n', () => dialog('Add an animal')],
    ['?', () => dialog('Keyboard shortcuts')],
    ['Control+k', () => dialog('Find or do something')],
  ]

  for (const view of views) {
    for (const [key, leadsTo] of shortcuts) {
      await page.evaluate(`location.hash = '#/${view.toLowerCase()}'`)
      await title(view).waitFor()
      await page.evaluate('document.activeElement.blur()')
      await page.keyboard.press(key)
      await leadsTo().waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
  }
})

browserTest('the box says that more match than it shows', async (t, open) => {
  const app = await startApp(t)
  for (let count = 1; count <= 6; count++) await app.create({ name: `Zorro ${count}`, categoryId: 1 })
  const { page } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/stock`)

  await page.getByRole('button', { name: 'Find or do something' }).click()
  await page.keyboard.type('zorro')
  await page.getByText('The first 5 results: type more to find others').waitFor()
  await page.keyboard.type(' 6')
  await page.getByText('1 result', { exact: true }).waitFor()
})
