import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { startApp } from '../support/app.ts'
import { assertAccessible } from '../support/axe.ts'
import { browserTest, eventually, holdTimers } from '../support/browser.ts'
import { fillShop } from '../support/shop.ts'

const names = (page: Page) => page.locator('tbody td.name a').allInnerTexts()
const numbers = (page: Page) => page.locator('tbody td.number').allInnerTexts()
const jsonHeaders = { headers: { 'content-type': 'application/json' } }

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

browserTest('a new animal is validated while it is typed', async (t, open) => {
  const { origin, key, send, storage } = await startApp(t)
  await storage.categories.put({ id: 9223372036854775807n, name: 'Кошки' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  await page.getByText('No animals yet').waitFor()
  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog')

  await dialog.getByLabel('Name').fill('  ')
  await dialog.getByText('A name is more than white space.').waitFor()
  await dialog.getByLabel('Name').fill('x'.repeat(65_537))
  await dialog.getByText('A name this long cannot be sent').waitFor()
  await dialog.getByLabel('Name').fill('🐈'.repeat(1001))
  await dialog.getByText('A name this long').waitFor({ state: 'detached' })
  await dialog.getByLabel('Category').fill('9223372036854775808')
  await page.keyboard.press('Tab')
  await dialog.getByText('A category is a number from').waitFor()
  await dialog.getByLabel('Category').fill('кошки')
  await dialog.getByRole('option', { name: 'Кошки' }).click()
  await dialog.getByRole('radio', { name: 'Sold' }).check()
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()

  await page.getByText('was added with the number 1').waitFor()
  assert.equal(
    (await send('/v1/pets')).text,
    `[{"id":1,"name":"${'🐈'.repeat(1001)}","categoryId":9223372036854775807,"status":"sold"}]`,
  )
  await page.locator('tbody tr').waitFor()
})

browserTest(
  'an error of the service is shown beside its field, or at the end of the form if it is about several',
  async (t, open) => {
    const { origin, key } = await startApp(t)
    const { page } = await open({ key })
    const refused = ['name, categoryId', 'categoryId']
    await page.route('**/v1/pets', (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      const headers = { 'invalid-fields': refused.shift() ?? '' }
      return route.fulfill({
        status: 400,
        headers,
        json: { code: 'invalid_body', message: 'Choose others.', status: 400 },
      })
    })
    await page.goto(`${origin}/#/animals?animal=new`)

    await page.getByLabel('Name').fill('Rex')
    await page.getByRole('dialog').getByLabel('Category').fill('7')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').filter({ hasText: 'Choose others.' }).waitFor()
    await page.keyboard.press('Enter')

    await page.locator('#pet-category-note', { hasText: 'Choose others.' }).waitFor()
    await eventually(async () => assert.equal(await page.getByLabel('Name').inputValue(), 'Rex'))
  },
)

browserTest('a change sends only changed members, with If-Match', async (t, open) => {
  const { origin, key, create, send } = await startApp(t)
  await create('{"name":"Rex \\n2","categoryId":9007199254740993}')
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals?animal=1`)

  const asked = page.waitForRequest((request) => request.method() === 'PATCH')
  await page.getByRole('radio', { name: 'Pending' }).check()
  await page.getByRole('button', { name: 'Save' }).click()

  const request = await asked
  assert.equal(request.postData(), '{"status":"pending"}')
  assert.match(request.headers()['if-match'] ?? '', /^"[^"]+"$/)
  await page.getByText('was saved').waitFor()
  const after = '{"id":1,"name":"Rex \\n2","categoryId":9007199254740993,"status":"pending"}'
  assert.equal((await send('/v1/pets/1')).text, after)
})

browserTest('a concurrent change is reported, and the typed text is kept', async (t, open) => {
  const { origin, key, create, send } = await startApp(t, { minStability: 'beta' })
  await create({ name: 'Rex', categoryId: 1, status: 'available' })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals?animal=1`)
  await page.getByLabel('Name').fill('Rexi')

  const body = '{"name":"Max","status":"sold","categoryId":2}'
  await send('/v1/pets/1', { method: 'PATCH', ...jsonHeaders, body })
  await page.getByRole('button', { name: 'Save' }).click()

  const notice = page.getByRole('dialog').getByRole('alert')
  await notice.getByText('Somebody changed this animal meanwhile').waitFor()
  await notice.getByText('The name is now Max').waitFor()
  await notice.getByText('The status is now sold').waitFor()
  await notice.getByText('The category is now Category 2').waitFor()
  await eventually(async () => assert.equal(await page.getByLabel('Name').inputValue(), 'Rexi'))
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Rexi was saved').waitFor()
  assert.equal((await send('/v1/pets/1')).text, '{"id":1,"name":"Rexi","categoryId":2,"status":"sold"}')
})

browserTest('concurrent changes that do not overlap are both saved, and an undo keeps the other', async (t, open) => {
  const { origin, key, create, send } = await startApp(t, { minStability: 'beta' })
  await create({ name: 'Rex', categoryId: 1, status: 'available' })
  const tab = await open({ key })
  const { page } = tab
  // The notice stays until it was used.
  await holdTimers(tab, 8_000)
  await page.goto(`${origin}/#/animals?animal=1`)
  await page.getByLabel('Name').fill('Max')

  await send('/v1/pets/1', { method: 'PATCH', ...jsonHeaders, body: '{"status":"sold"}' })
  await page.getByRole('button', { name: 'Save' }).click()

  await page.getByText('Max was saved').waitFor()
  assert.equal((await send('/v1/pets/1')).text, '{"id":1,"name":"Max","categoryId":1,"status":"sold"}')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Rex is as it was before').waitFor()
  assert.equal((await send('/v1/pets/1')).text, '{"id":1,"name":"Rex","categoryId":1,"status":"sold"}')
})

browserTest('an animal can be changed after getPet is removed', async (t, open) => {
  const { origin, key, create, send } = await startApp(t, { clock: () => Date.parse('2031-01-01') })
  await create({ name: 'Rex', categoryId: 1 })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals?animal=1`)

  await page.getByLabel('Name').fill('Max')
  await page.keyboard.press('Enter')

  await page.getByText('Max was saved').waitFor()
  assert.equal((await send('/v1/pets?id=1')).text, '[{"id":1,"name":"Max","categoryId":1}]')
})

browserTest('an animal is deleted after a while, unless that is undone', async (t, open) => {
  const { origin, key, create, send } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  const tab = await open({ key })
  const { page } = tab
  const endWait = await holdTimers(tab, 8_000)
  await page.goto(`${origin}/#/animals`)
  await page.getByRole('link', { name: 'Rex' }).click()

  await page.getByRole('button', { name: 'Delete this animal' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByText('Deleting Rex for good').waitFor()
  await page.keyboard.press('z')
  await page.getByText('Rex stays').waitFor()
  await endWait()
  assert.equal((await send('/v1/pets')).text, '[{"id":1,"name":"Rex","categoryId":1}]')
  await page.getByRole('link', { name: 'Rex' }).click()
  await page.getByRole('button', { name: 'Delete this animal' }).click()
  await page.getByText('Deleting Rex for good').waitFor()
  await endWait()

  await page.getByText('Rex was deleted').waitFor()
  assert.equal((await send('/v1/pets')).text, '[]')
  await page.getByText('No animals yet').waitFor()
})

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
