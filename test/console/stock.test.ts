import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { maxFeedWaitMs } from '../../console/state/feed-wait.ts'
import { startApp } from '../support/app.ts'
import { browserTest, eventually, holdTimers } from '../support/browser.ts'
import { fillShop } from '../support/shop.ts'

browserTest('the stock shows how many animals are in each status and category', async (t, open) => {
  const { origin, key, create, storage } = await startApp(t)
  await storage.categories.put({ id: 1n, name: 'Dogs' })
  for (const status of ['available', 'available', 'available', 'pending', 'sold']) {
    await create({ name: 'Rex', categoryId: 1, status })
  }
  await create({ name: 'Coco', categoryId: 7 })
  const { page } = await open({ key })

  await page.goto(origin)

  const legend = page.locator('.legend li')
  await legend.first().waitFor()
  await eventually(async () => {
    const rows = await legend.evaluateAll((items) =>
      items.map((item) => item.textContent?.replaceAll(/\s+/g, ' ').trim()),
    )
    assert.deepEqual(rows, ['Available 3 50%', 'Pending 1 17%', 'Sold 1 17%', 'No status 1 17%'])
  })
  await eventually(async () => assert.equal(await page.locator('.stock-total').innerText(), '6 animals'))
  await eventually(async () => assert.equal(await page.locator('.by-status .bar .value').count(), 4))
  await eventually(async () => {
    const bars = await page.locator('.bars li').allInnerTexts()
    assert.deepEqual(
      bars.map((text) => text.split('\n')),
      [
        ['Dogs', '5', 'Available 3, Pending 1, Sold 1'],
        ['Category 7', '1', 'No status 1'],
      ],
    )
  })
})

browserTest(
  'everything on the stock is read once when the page is loaded, and what has changed once more',
  async (t, open) => {
    const { origin, key, storage, create } = await startApp(t)
    await fillShop(storage, 500)
    const tab = await open({ key })
    const { page, requests } = tab
    await holdTimers(tab, maxFeedWaitMs)
    const counts = () => requests.filter((request) => /^GET \/v1\/(pets|store)/.test(request))

    await page.goto(origin)
    await page.locator('.bars li').first().waitFor()
    await page.getByText('Live', { exact: true }).waitFor()
    await eventually(async () =>
      assert.deepEqual(counts().toSorted(), [
        'GET /v1/pets/imports?limit=100',
        'GET /v1/store/days',
        'GET /v1/store/inventory?limit=8',
        'GET /v1/store/orders?status=placed&sort=id&limit=100',
      ]),
    )
    await create({ name: 'Pixel', categoryId: 1, status: 'sold' })
    await page.locator('.stock-total', { hasText: '501' }).waitFor()

    assert.deepEqual(counts().slice(4).toSorted(), ['GET /v1/store/days', 'GET /v1/store/inventory?limit=8'])
  },
)

browserTest(
  'the largest categories are shown, also those without a name and those of the latest animals',
  async (t, open) => {
    const { origin, key, create, storage } = await startApp(t)
    await fillShop(storage, 120)
    for (let number = 0; number < 200; number++) await create({ name: 'Ant', categoryId: 4711 })
    const { page } = await open({ key })

    await page.goto(origin)

    await page.locator('.bars li', { hasText: 'Category 4711' }).getByText('200', { exact: true }).waitFor()
  },
)

browserTest('a busy shop does not use up a rate limit of 60 a minute', async (t, open) => {
  const { origin, key, create, makeKey } = await startApp(t)
  // Animals that one key adds are one line from the third on.
  const { secret } = await makeKey({ name: 'Ada at the till' })
  await create({ name: 'Rex', categoryId: 1 })
  const { page, requests } = await open({ key })
  await page.clock.install()
  await page.goto(origin)
  await page.locator('.stock-total', { hasText: '1' }).waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  requests.length = 0
  const startSeconds = await pageSeconds(page)

  for (let second = 1; second <= 20; second++) {
    await create(
      { name: `Ant ${second}`, categoryId: 1 },
      { authorization: `Bearer ${second % 2 === 0 ? key : secret}` },
    )
    await page.locator('.recent-activity').getByText(`Ant ${second} was added`, { exact: true }).waitFor()
    await page.clock.fastForward(1_000)
  }
  await page.clock.fastForward(2_000)

  await page.locator('.stock-total', { hasText: '21' }).waitFor()
  // Time goes on between the steps, too. One read every two seconds, and a few that belong to the first change.
  const seconds = (await pageSeconds(page)) - startSeconds
  assert.ok(requests.length <= seconds / 2 + 5, `${requests.length} requests in ${seconds} seconds`)
})

browserTest('counts of different moments never show a negative number', async (t, open) => {
  const { origin, key, create } = await startApp(t, { minStability: 'stable' })
  for (let number = 0; number < 3; number++) await create({ name: 'Rex', categoryId: 1, status: 'sold' })
  const { page } = await open({ key })
  await page.route(/\/v1\/pets\?limit=1$/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), 'x-total-count': '1' } })
  })

  await page.goto(origin)

  await page.locator('.legend li', { hasText: 'No status' }).getByText('0', { exact: true }).waitFor()
  await page.locator('.stock-total', { hasText: '3' }).waitFor()
})

browserTest('no number covers the name of its status, at any width', async (t, open) => {
  const { origin, key, create } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  const { page } = await open({ key })
  const many = { total: 1_190_000, available: 1_190_000, pending: 1_190_000, sold: 1_190_000, none: 1_190_000 }
  await page.route('**/v1/store/inventory*', (route) => route.fulfill({ json: { ...many, categories: [], others: 0 } }))
  await page.goto(`${origin}/#/stock`)
  await page.getByText('1,190,000').first().waitFor()

  for (const width of [1440, 1100, 1024, 992, 768, 390, 320]) {
    await page.setViewportSize({ width, height: 800 })
    const cut = await page.evaluate(
      `[...document.querySelectorAll('.legend-name')].filter((name) => name.scrollWidth > name.clientWidth).length`,
    )
    assert.equal(cut, 0, `${width}`)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
  }
})

browserTest('the numbers link to their animals', async (t, open) => {
  const { origin, key, storage } = await startApp(t)
  await fillShop(storage, 50)
  const { page } = await open({ key })
  await page.goto(origin)

  await page.locator('.legend').getByRole('link', { name: 'Sold' }).click()
  await page.getByRole('table', { name: 'Animals' }).waitFor()
  await eventually(async () => {
    const statuses = new Set(await page.locator('tbody .status').allInnerTexts())
    assert.deepEqual([...statuses], ['Sold'])
  })

  await page.getByRole('link', { name: 'Stock' }).click()
  await page.locator('.bars').getByRole('link', { name: 'Rabbits' }).click()
  await eventually(async () => {
    const categories = new Set(await page.locator('tbody td.category').allInnerTexts())
    assert.deepEqual([...categories], ['Rabbits'])
  })
})

browserTest('the stock shows changes of others and announces them', async (t, open) => {
  const { origin, key, create, storage } = await startApp(t)
  await fillShop(storage, 10)
  const { page } = await open({ key })
  await page.goto(origin)
  await page.getByText('Live', { exact: true }).waitFor()

  await create({ name: 'Pixel', categoryId: 1, status: 'sold' })

  await page.locator('.stock-total', { hasText: '11' }).waitFor()
  await page.locator('.recent-activity').getByText('Pixel was added').waitFor()
})

browserTest('an empty shop says so, offers the first animal and shows what happened', async (t, open) => {
  const { origin, key, create, send } = await startApp(t)
  await create({ name: 'Rex', categoryId: 1 })
  await send('/v1/pets/1', { method: 'DELETE' })
  const { page } = await open({ key })

  await page.goto(origin)

  await page.getByRole('heading', { name: 'No animals yet' }).waitFor()
  await page.locator('.recent-activity').getByText('Rex was deleted').waitFor()
  await page.getByRole('link', { name: 'Add an animal' }).click()
  await page.getByRole('dialog', { name: 'Add an animal' }).waitFor()
})

browserTest('with stable operations only, the page works and offers no other change', async (t, open) => {
  const { origin, key, storage, create } = await startApp(t, { minStability: 'stable' })
  await fillShop(storage, 30)
  const { page, requests } = await open({ key })

  await page.goto(origin)
  await page.locator('.legend').waitFor()
  await eventually(async () => assert.equal(await page.locator('.pulse').innerText(), ''))
  await eventually(async () =>
    assert.deepEqual(await page.getByRole('navigation', { name: 'Views' }).getByRole('link').allInnerTexts(), [
      'Stock',
      'Animals',
      'Orders',
      'Settings',
    ]),
  )
  await page.getByRole('link', { name: 'Animals' }).click()
  await page.locator('a[rel=next]').click()
  await page.getByText('Page 2 · 30 animals').waitFor()
  await page.locator('tbody a').first().click()
  await page.getByRole('dialog').getByText('Number').waitFor()
  await eventually(async () =>
    assert.deepEqual(await page.getByRole('dialog').getByRole('button').allInnerTexts(), ['']),
  )
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Add an animal' }).click()
  await page.getByLabel('Name').fill('Rex')
  await page.getByRole('dialog').getByLabel('Category').fill('1')
  await page.keyboard.press('Enter')
  await page.getByText('Rex was added with the number 31').waitFor()
  await page.getByText('Page 2 · 31 animals').waitFor()

  assert.equal((await create({ name: 'Tom', categoryId: 1 })).status, 201)
  const unexpected = requests.filter((request) => /events|POST.*orders|categories|PATCH|PUT|DELETE/.test(request))
  assert.deepEqual(
    unexpected.filter((request) => !request.includes('/console/')),
    [],
  )
})

/** The time of the page, which a test may move. */
async function pageSeconds(page: Page): Promise<number> {
  return ((await page.evaluate('performance.now()')) as number) / 1_000
}
