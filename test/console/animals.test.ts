import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { startApp } from '../support/app.ts'
import { assertAccessible } from '../support/axe.ts'
import { browserTest, eventually } from '../support/browser.ts'
import { fillShop } from '../support/shop.ts'

const jsonHeaders = { headers: { 'content-type': 'application/json' } }

const names = (page: Page) => page.locator('tbody td.name a').allInnerTexts()
const numbers = (page: Page) => page.locator('tbody td.number').allInnerTexts()

browserTest('the animals can be filtered by status and by category, by name or number', async (t, open) => {
  const { origin, key, storage } = await startApp(t)
  await fillShop(storage, 60)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)

  await page.getByRole('link', { name: /^No status( \d+)?$/ }).click()
  await page.getByText('8 animals', { exact: true }).waitFor()
  await eventually(async () =>
    assert.deepEqual([...new Set(await page.locator('tbody .status').allInnerTexts())], ['No status']),
  )

  await page.getByRole('link', { name: /^Pending( \d+)?$/ }).click()
  await page.getByText(/^\d+ animals$/).waitFor()
  await eventually(async () =>
    assert.deepEqual([...new Set(await page.locator('tbody .status').allInnerTexts())], ['Pending']),
  )

  await page.getByLabel('Category').fill('rabbits')
  await page.keyboard.press('Enter')
  await page.waitForURL(/category=3/)
  await eventually(async () => assert.equal(await page.getByLabel('Category').inputValue(), 'Rabbits'))
  await page.getByLabel('Category').fill('6')
  await page.keyboard.press('Enter')
  await page.waitForURL(/category=6/)
  await page.getByText('No animal matches').waitFor()
  await page.getByRole('link', { name: /^Sold( \d+)?$/ }).click()
  await page.getByText('3 animals', { exact: true }).waitFor()
  await eventually(async () => assert.deepEqual(await numbers(page), ['19', '45', '58']))
  await page.getByLabel('Category').fill('unicorns')
  await page.keyboard.press('Enter')
  await page.getByText('No category is called that').waitFor()
})

browserTest('the pager goes forward and back, also after a reload', async (t, open) => {
  const { origin, key, storage } = await startApp(t)
  await fillShop(storage, 45)
  const { page, requests } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  await page.getByText('Page 1 · 45 animals').waitFor()

  await page.getByRole('link', { name: 'Next' }).click()
  await page.getByText('Page 2 · 45 animals').waitFor()
  await page.reload()
  await page.getByText('Page 2 · 45 animals').waitFor()
  await page.keyboard.press(']')
  await page.getByText('Page 3 · 45 animals').waitFor()
  await eventually(async () => assert.deepEqual(await numbers(page), ['41', '42', '43', '44', '45']))
  assert.equal(await page.getByRole('link', { name: 'Next' }).count(), 0)
  await page.getByRole('link', { name: 'Previous' }).click()
  await page.getByText('Page 2 · 45 animals').waitFor()
  await page.goBack()
  await page.getByText('Page 3 · 45 animals').waitFor()
  assert.ok(requests.filter((request) => /limit=(?!1\b|20\b|100\b)/.test(request)).length === 0)
})

browserTest(
  'one box finds animals by name, number or category while typing, and Enter opens the one that is meant',
  async (t, open) => {
    const { origin, key, storage } = await startApp(t)
    await fillShop(storage, 45)
    const { page } = await open({ key })
    await page.goto(`${origin}/#/animals?status=sold`)

    await storage.pets.create({ name: 'Zoë 44', categoryId: 3n, status: 'sold' })
    await storage.pets.create({ name: 'Zora', categoryId: 3n, status: 'pending' })
    await page.locator('tbody tr').first().waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('44')
    await eventually(async () => assert.deepEqual(await numbers(page), ['44', '46']))
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Animal 44' }).getByLabel('Name').waitFor()
    await page.keyboard.press('Escape')

    const find = page.getByRole('searchbox', { name: 'Find' })
    await find.fill('ZO')
    await eventually(async () => assert.deepEqual(await names(page), ['Zoë 44']))
    await page.getByRole('link', { name: /^All( \d+)?$/ }).click()
    await eventually(async () => assert.deepEqual(await names(page), ['Zoë 44', 'Zora']))
    await find.fill('zoe')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Animal 46' }).getByLabel('Name').waitFor()
    await page.keyboard.press('Escape')

    await find.fill('#44')
    await eventually(async () => assert.deepEqual(await numbers(page), ['44', '46']))
    await find.fill('birds')
    await page.getByText('No animal has this name, but a category does').waitFor()
    await find.fill('!')
    await page.getByText('Type a letter or a digit.').waitFor()
    await find.fill('rabb')
    await page.getByRole('link', { name: 'Rabbits', exact: true }).click()
    await page.waitForURL(/category=3/)
    await eventually(async () => assert.equal(await find.inputValue(), ''))
  },
)

browserTest('the list of animals shows changes of others', async (t, open) => {
  const { origin, key, create, send } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1, status: 'available' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  await page.getByText('Live', { exact: true }).waitFor()

  await send('/v1/pets/1', { method: 'PATCH', ...jsonHeaders, body: '{"name":"Max"}' })
  await create({ name: 'Tom', categoryId: 1 })

  await page.getByText('2 animals').waitFor()
  await eventually(async () => assert.deepEqual(await names(page), ['Max', 'Tom']))
})

const hostile = [
  '<img src=x onerror="document.title=\'broken\'">',
  '"><script>alert(1)</script>',
  '&lt;b&gt;bold&lt;/b&gt;',
  '${html`<b>x</b>`}',
]
browserTest('a name is shown as text, not as markup', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  for (const name of hostile) await create({ name, categoryId: 1, status: 'available' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  await page.locator('tbody tr').nth(3).waitFor()

  await eventually(async () => assert.deepEqual(await names(page), hostile))
  assert.equal(await page.locator('main img, main b, main script').count(), 0)
  await page.locator('tbody a').first().click()
  await page.getByRole('button', { name: 'Place an order' }).click()
  await page.getByRole('button', { name: 'Place the order' }).click()
  await page.getByText('was placed').first().waitFor()
  await eventually(async () => assert.equal(await page.title(), 'Animals · Pet Store'))
})

/** The names in a list whose first letter is cut off. */
const hiddenBeginnings = `[...document.querySelectorAll('td.name a')].filter((link) => {
  const range = document.createRange()
  const text = document.createTreeWalker(link, NodeFilter.SHOW_TEXT).nextNode()
  range.setStart(text, 0)
  range.setEnd(text, 1)
  const letter = range.getBoundingClientRect()
  const cell = link.closest('td').getBoundingClientRect()
  return letter.width === 0 || letter.left < cell.left || letter.right > cell.right
}).map(({ textContent }) => textContent)`

browserTest('long names, right-to-left names and the largest numbers do not break the layout', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'W'.repeat(1000), categoryId: 1 })
  await create({ name: 'سمسم '.repeat(60), categoryId: 1 })
  await create('{"name":"Max","categoryId":-9223372036854775808}')
  const { page } = await open({ key })
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`${origin}/?${width}#/animals`)
    await page.locator('tbody tr').nth(2).waitFor()

    assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true)
    await page.getByText('Category -9223372036854775808').first().waitFor({ state: 'attached' })
    assert.deepEqual(await page.evaluate(hiddenBeginnings), [])
    await page.locator('tbody a').first().click()
    await page.getByLabel('Name').waitFor()
    // A heading that scrolls could not be reached by keyboard.
    await assertAccessible(page, `a long name in a sheet, ${width}`)
    assert.equal(
      await page.evaluate(
        `(() => { const d = document.querySelector('dialog'); return d.scrollWidth <= d.clientWidth })()`,
      ),
      true,
    )
  }
})

browserTest('a read key sees no actions that change anything', async (t, open) => {
  const { origin, storage, makeKey } = await startApp(t)
  await fillShop(storage, 20)
  const { secret } = await makeKey({ permission: 'read' })
  const { page, requests } = await open({ key: secret })

  await page.goto(`${origin}/#/animals`)
  await page.locator('tbody tr').first().waitFor()
  assert.equal(await page.getByText('Add an animal').count(), 0)
  assert.equal(await page.locator('tbody').getByRole('button').count(), 0)
  await page.keyboard.press('n')
  await page.locator('tbody a').first().click()
  await page.getByRole('dialog').getByText('Status').waitFor()
  await eventually(async () =>
    assert.deepEqual(
      await page
        .getByRole('dialog')
        .getByRole('button')
        .evaluateAll((all) => all.map((one) => one.ariaLabel)),
      ['Close'],
    ),
  )
  assert.equal(await page.locator('textarea').count(), 0)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByText('look at everything', { exact: true }).waitFor()
  assert.equal(await page.getByRole('combobox').count(), 0)
  assert.deepEqual(
    requests.filter((request) => !request.startsWith('GET ')),
    [],
  )
})

browserTest('a read key is not asked to add or order', async (t, open) => {
  const { origin, makeKey } = await startApp(t)
  const { secret } = await makeKey({ permission: 'read' })
  const { page } = await open({ key: secret })

  await page.goto(`${origin}/#/animals`)
  await page.getByText('The shop is empty.', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Orders' }).click()
  await page.getByText('No open orders').waitFor()
  assert.equal(await page.getByText('to place one').count(), 0)
  await page.goto(`${origin}/#/animals?animal=new`)
  await page.getByText('This key may not add animals').waitFor()
})
