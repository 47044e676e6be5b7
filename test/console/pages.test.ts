import assert from 'node:assert/strict'
import { maxSearchMs } from '../../console/api/fill-page.ts'
import { startApp } from '../support/app.ts'
import { assertAccessible } from '../support/axe.ts'
import { browserTest, eventually, holdTimers, type Tab } from '../support/browser.ts'
import { fillShop } from '../support/shop.ts'

browserTest('the pager is right when animals are added and deleted', async (t, open) => {
  const { origin, key, storage, send, create } = await startApp(t)
  await fillShop(storage, 45)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  await page.getByRole('link', { name: 'Next' }).click()
  await page.getByText('Page 2 · 45 animals').waitFor()
  await page.getByText('Live', { exact: true }).waitFor()

  for (let id = 1; id <= 3; id++) await send(`/v1/pets/${id}`, { method: 'DELETE' })
  await page.getByText('Page 2 · 42 animals').waitFor()
  await create({ name: 'Momo', categoryId: 1 })

  await page.getByText('Page 2 · 43 animals').waitFor()
})

browserTest('the pager leads to the last page, back from there, and to the first', async (t, open) => {
  const { origin, key, storage, create } = await startApp(t)
  await fillShop(storage, 45)
  const { page } = await open({ key })
  const ends = () =>
    page.locator('td.number').evaluateAll((all) => [all[0]?.textContent, all.at(-1)?.textContent, all.length])
  await page.goto(`${origin}/#/animals`)
  await page.getByText('Page 1 · 45 animals').waitFor()

  await page.getByRole('link', { name: 'Last page' }).click()
  await page.getByText('Last page · 45 animals').waitFor()
  await eventually(async () => assert.deepEqual(await ends(), ['26', '45', 20]))
  await page.getByText('Live', { exact: true }).waitFor()
  await create({ name: 'Momo', categoryId: 1 })
  await page.getByText('Last page · 46 animals').waitFor()
  await eventually(async () => assert.deepEqual(await ends(), ['27', '46', 20]))

  await page.reload()
  await page.getByRole('link', { name: 'Previous' }).click()
  await page.getByText('Page 2 from the end · 46 animals').waitFor()
  await eventually(async () => assert.deepEqual(await ends(), ['7', '26', 20]))
  await page.getByRole('link', { name: 'Previous' }).click()
  await page.getByText('Page 3 from the end · 46 animals').waitFor()
  await eventually(async () => assert.deepEqual(await ends(), ['1', '6', 6]))
  await page.getByRole('link', { name: 'Next' }).click()
  await page.getByText('Page 2 from the end · 46 animals').waitFor()
  await page.getByRole('link', { name: 'First page' }).click()
  await page.getByText('Page 1 · 46 animals').waitFor()
  await eventually(async () => assert.deepEqual(await ends(), ['1', '20', 20]))
})

browserTest('an emptied last page leads to the page before', async (t, open) => {
  const { origin, key, storage, send } = await startApp(t)
  await fillShop(storage, 22)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/animals`)
  await page.getByRole('link', { name: 'Next' }).click()
  await page.getByText('Page 2 · 22 animals').waitFor()
  await page.getByText('Live', { exact: true }).waitFor()

  for (const id of [21, 22]) await send(`/v1/pets/${id}`, { method: 'DELETE' })
  await page.getByText('Nothing on this page any more').waitFor()
  await page.getByRole('link', { name: 'Go to the page before' }).click()

  await page.getByText('20 animals').waitFor()
})

browserTest('Back does not reopen a closed sheet', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  const { page } = await open({ key })
  await page.goto(`${origin}/#/stock`)
  await page.getByRole('link', { name: 'Animals', exact: true }).click()
  await page.locator('tbody').getByRole('link', { name: 'Rex' }).click()
  await page.getByLabel('Name').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await page.goBack()

  await page.waitForURL(`${origin}/#/stock`)
  assert.equal(await page.getByRole('dialog').count(), 0)
})

browserTest('columns keep their width from page to page', async (t, open) => {
  const { origin, key, create, storage } = await startApp(t)
  await fillShop(storage, 20)
  await create({ name: 'W'.repeat(300), categoryId: 4711 })
  const { page } = await open({ key })
  const columns = () => page.locator('th').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left))
  await page.goto(`${origin}/#/animals`)
  await page.getByText('Page 1').waitFor()
  const before = await columns()

  await page.getByRole('link', { name: 'Next' }).click()
  await page.getByText('WWW').first().waitFor()

  await eventually(async () => assert.deepEqual(await columns(), before))
})

browserTest('an unknown view leads to the stock', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })
  for (const view of ['constructor', '__proto__', 'toString', 'nothing']) {
    await page.goto(`${origin}/?${view}#/${view}`)

    await page.getByRole('heading', { name: 'Stock' }).waitFor()
    await eventually(async () => assert.equal(await page.title(), 'Stock · Pet Store'))
  }
})

browserTest('an impossible number in the address sends no request', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page, requests } = await open({ key })
  for (const id of ['../keys', '1/../2', 'abc', '-1', '007', '9223372036854775808']) {
    await page.goto(`${origin}/#/stock?animal=${encodeURIComponent(id)}`)

    await page.getByText(`No animal has the number ${id}`).waitFor()
  }
  const asked = requests.filter((request) => /^GET \/v1\/(?!events|store\/inventory|categories)/.test(request))
  assert.deepEqual(asked, [])
})

type Answer = object[] | 'hang'

/**
 * Answers searches of a path with these pages, whose cursors are their positions. The last one has no next page. The
 * time of a search is over when `endTime` is called: a busy machine does not end it.
 */
async function answerSearches(tab: Tab, path: string, answers: readonly Answer[]) {
  const { page } = tab
  const asked: string[] = []
  // A stream that connects late would start the search again.
  await page.route('**/v1/events', (route) => route.abort())
  await page.route(new RegExp(`/v1/${path}\\?.*(name|customer)=`), async (route) => {
    const cursor = new URL(route.request().url()).searchParams.get('cursor')
    asked.push(cursor ?? '')
    const position = Number(cursor)
    const answer = answers[position] ?? []
    if (answer === 'hang') return
    const link = `</v1/${path}?cursor=${position + 1}>; rel="next"`
    await route.fulfill({ json: answer, headers: position + 1 < answers.length ? { link } : {} })
  })
  return { asked, endTime: await holdTimers(tab, maxSearchMs) }
}

browserTest('a search goes on after an empty page until an animal is found', async (t, open) => {
  const { origin, key } = await startApp(t)
  const tab = await open({ key })
  const { page } = tab
  const { asked } = await answerSearches(tab, 'pets', [[], [], [{ id: 7, name: 'Rex the Great', categoryId: 1 }], []])

  await page.goto(`${origin}/#/animals?find=great+rex`)

  await page.getByRole('link', { name: 'Rex the Great' }).waitFor()
  await page.getByText('1 animal', { exact: true }).waitFor()
  assert.deepEqual([...new Set(asked)], ['', '1', '2', '3'])
})

browserTest('a long search says so, and goes on where it stopped', async (t, open) => {
  const { origin, key } = await startApp(t)
  const tab = await open({ key })
  const { page } = tab
  const answers: Answer[] = [[], 'hang', [{ id: 7, name: 'Rex', categoryId: 1 }], []]
  const { asked, endTime } = await answerSearches(tab, 'pets', answers)

  await page.goto(`${origin}/#/animals?find=rex`)
  await page.getByText('Searching…').waitFor()
  await eventually(async () => assert.equal(asked.at(-1), '1'))
  assert.equal(await page.getByText('No animal matches').count(), 0)
  await endTime()
  await page.getByRole('heading', { name: 'Nothing found so far' }).waitFor()
  await assertAccessible(page, 'a search that stopped')

  answers[1] = []
  await page.getByRole('link', { name: 'Search further' }).click()
  await page.getByRole('link', { name: 'Rex' }).waitFor()
  await page.getByText('Page 2').waitFor()
  assert.deepEqual(asked.slice(-3), ['1', '2', '3'])

  answers.splice(1)
  await page.getByRole('link', { name: 'Previous' }).click()
  await page.getByText('No animal matches').waitFor()
})

browserTest('a search of orders goes on after empty pages', async (t, open) => {
  const { origin, key } = await startApp(t)
  const tab = await open({ key })
  const { page } = tab
  const at = '2026-01-02T03:04:05Z'
  const order = { id: 3, petId: 7, status: 'placed', customer: 'Ada Lovelace', placedAt: at, updatedAt: at }
  await answerSearches(tab, 'store/orders', [[], [], [order]])

  await page.goto(`${origin}/#/orders?find=ada`)

  await page.locator('td.customer', { hasText: 'Ada Lovelace' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Next' }).count(), 0)
})

browserTest('the category picker goes on after empty pages, and further if it is asked to', async (t, open) => {
  const { origin, key } = await startApp(t)
  const tab = await open({ key })
  const { page } = tab
  const answers: Answer[] = [[], [{ id: 4, name: 'Small dogs' }], 'hang', [{ id: 5, name: 'Large dogs' }]]
  const { asked, endTime } = await answerSearches(tab, 'categories', answers)
  await page.goto(`${origin}/#/animals?animal=new`)
  const dialog = page.getByRole('dialog')

  await dialog.getByRole('combobox', { name: 'Category' }).fill('dogs')
  await dialog.getByText('Searching…').waitFor()
  await eventually(async () => assert.deepEqual(asked, ['', '1', '2']))
  await assertAccessible(page, 'a category is searched')
  await endTime()
  await page.getByRole('option', { name: 'Small dogs' }).waitFor()
  assert.equal(await page.getByRole('option', { name: 'Create category' }).count(), 0)
  answers[2] = []
  await page.getByRole('option', { name: 'Search further' }).click()

  await page.getByRole('option', { name: 'Large dogs' }).waitFor()
  await eventually(async () => {
    const options = await page.getByRole('listbox').getByRole('option').allInnerTexts()
    assert.deepEqual(
      options.map((text) => text.split('\n')[0]?.trim()),
      ['Small dogs', 'Large dogs', 'Create category «dogs»'],
    )
  })
})
