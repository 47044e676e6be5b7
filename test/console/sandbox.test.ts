import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { assertAccessible } from '../support/axe.ts'
import { browserTest, eventually, holdTimers } from '../support/browser.ts'
import { startSandbox } from '../support/sandbox.ts'

const views = ['Stock', 'Animals', 'Orders', 'Settings', 'Sandbox']

async function openView(page: Page, view: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: view }).click()
  await page.getByRole('heading', { name: view, level: 1 }).waitFor()
}

/** The section of a view with this heading. */
function section(page: Page, heading: string) {
  return page.getByRole('region', { name: heading, exact: true })
}

browserTest('a visitor of a sandbox chooses a shop by its name, which every view shows', async (t, open) => {
  const { origin } = await startSandbox(t, { seed: 'demo' })
  const { page } = await open({ viewport: { width: 320, height: 640 } })
  await page.goto(origin)
  await assertAccessible(page, 'choose a shop')

  await page.getByLabel('Name of the shop').fill('no shop')
  await page.keyboard.press('Enter')
  await eventually(async () =>
    assert.equal(await page.getByLabel('Name of the shop').getAttribute('aria-invalid'), 'true'),
  )
  await page.getByLabel('Name of the shop').fill('mine')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Stock' }).waitFor()

  for (const view of views) {
    await openView(page, view)
    await page.getByText('Sandbox: mine, nothing is kept').waitFor()
    await eventually(async () =>
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, view),
    )
  }
  // A small laptop has room for all views.
  await page.setViewportSize({ width: 1024, height: 640 })
  await openView(page, 'Keys')
  await openView(page, 'Categories')
  await openView(page, 'Activity')
  await page.getByText('Nothing has changed in this shop so far.').waitFor()
  assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0)
})

browserTest('a sign-in link of a sandbox opens its shop, without what was typed in another', async (t, open) => {
  const { origin } = await startSandbox(t)
  const { page, requests } = await open()
  await page.goto(`${origin}/#sign-in=a`)
  await page.getByRole('link', { name: 'Add an animal' }).click()
  await page.getByLabel('Name').fill('Rex')
  await page.keyboard.press('Escape')

  await page.goto(`${origin}/#sign-in=b`)
  await page.getByText('Sandbox: b, nothing is kept').waitFor()
  await page.getByRole('link', { name: 'Add an animal' }).click()

  assert.equal(await page.getByLabel('Name').inputValue(), '')
  await page.goto(`${origin}/#sign-in=${encodeURIComponent('no shop')}`)
  await page.getByText('No shop can be called «no shop»').waitFor()
  assert.ok(!requests.some((request) => request.includes('/console/sign-in')))
})

browserTest('the list follows a reset and a restored snapshot', async (t, open) => {
  const { origin, send } = await startSandbox(t, { seed: 'demo' })
  const { page } = await open()
  await page.goto(`${origin}/#sign-in=a`)
  await openView(page, 'Animals')
  await page.getByText('10 animals').waitFor()
  await page.getByText('Live', { exact: true }).waitFor()

  await send(
    'a',
    'POST /sandbox/reset',
    '{"type":"category","id":1,"name":"Snails"}\n{"id":7,"name":"Turbo","categoryId":1}\n',
  )
  await page.getByRole('row', { name: /Turbo.*Snails/ }).waitFor()
  await page.getByText('1 animal', { exact: true }).waitFor()

  await openView(page, 'Sandbox')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save the shop' }).click()
  const snapshot = await buffer(await (await download).createReadStream())
  await page.getByRole('button', { name: 'With an empty shop' }).click()
  await page.getByRole('button', { name: 'Begin again', exact: true }).click()
  await page.getByText('The shop began again with an empty shop').waitFor()
  await openView(page, 'Animals')
  await page.getByText('No animals yet').waitFor()
  await openView(page, 'Sandbox')
  await page.locator('#snapshot-file').setInputFiles({ name: 'a.ndjson', mimeType: '', buffer: snapshot })
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByText('The shop is that of a.ndjson').waitFor()
  await openView(page, 'Animals')
  await page.getByRole('row', { name: /Turbo.*Snails/ }).waitFor()

  await openView(page, 'Sandbox')
  await page.locator('#seed-file').setInputFiles({ name: 's.ndjson', mimeType: '', buffer: Buffer.from('{"id":1}\n') })
  await page.getByRole('button', { name: 'Begin again', exact: true }).click()
  await page
    .getByRole('alert')
    .getByText(/Line 1/)
    .waitFor()
})

browserTest('faults go on and off in the console, which tells of them and recovers', async (t, open) => {
  const { origin, send } = await startSandbox(t, { seed: 'demo' })
  const { page } = await open()
  const faults = section(page, 'Faults')
  await page.goto(`${origin}/#sign-in=a`)

  for (const [fault, text] of [
    ['503', 'The service is busy or restarting'],
    ['401', 'This key is not accepted'],
    ['close', 'The service cannot be reached right now'],
  ] as const) {
    await openView(page, 'Sandbox')
    await page.getByLabel('Fault', { exact: true }).selectOption(fault)
    await page.getByLabel('Operation').selectOption('listPets')
    await page.getByRole('button', { name: 'Add the fault' }).click()
    await faults.getByRole('row', { name: new RegExp(`${fault}.*listPets`) }).waitFor()
    await openView(page, 'Animals')
    await page.getByRole('alert').getByText(text).waitFor()

    await openView(page, 'Sandbox')
    await faults.getByRole('row', { name: /listPets.* [1-9]\d* times?/ }).waitFor()
    await faults.getByRole('button', { name: `Remove ${fault} of listPets` }).click()
    await faults.getByText('as they should be').waitFor()
    await openView(page, 'Animals')
    await page.getByText('10 animals').waitFor()
  }
  assert.deepEqual((await send('a', '/sandbox/faults')).body, [])

  // A stream that is refused is not asked for without a pause.
  await send('a', 'PUT /sandbox/faults', [{ fault: '410', operation: 'listEvents' }])
  await page.reload()
  await page.getByText('Reconnecting').waitFor()
  await openView(page, 'Sandbox')
  await faults.getByRole('button', { name: 'Remove all' }).click()
  await page.getByText('Live', { exact: true }).waitFor()
})

browserTest('a rule that is added leaves the others what they have left to do', async (t, open) => {
  const { origin, send } = await startSandbox(t)
  const { page } = await open()
  await send('a', 'PUT /sandbox/faults', [
    { fault: '500', operation: 'getOrder', times: 1 },
    { fault: '404', operation: 'getOrder', times: 3 },
  ])
  for (let count = 0; count < 2; count++) await send('a', '/store/orders/1')
  await page.goto(`${origin}/#sign-in=a`)
  await openView(page, 'Sandbox')

  await page.getByLabel('Fault', { exact: true }).selectOption('delay')
  await page.getByLabel('Seconds', { exact: true }).fill('0.5')
  await page.getByRole('button', { name: 'Add the fault' }).click()
  await section(page, 'Faults').getByRole('row', { name: /delay/ }).waitFor()

  assert.deepEqual(
    ((await send('a', '/sandbox/faults')).body as { applied: number }[]).map(({ applied: _applied, ...rule }) => rule),
    [
      { fault: '404', operation: 'getOrder', times: 2 },
      { fault: 'delay', seconds: 0.5 },
    ],
  )
})

browserTest('the journal is live, and the clock can be set; both are accessible', async (t, open) => {
  const { origin, send } = await startSandbox(t)
  const { page } = await open()
  await page.goto(`${origin}/#sign-in=a`)
  await openView(page, 'Sandbox')
  const journal = section(page, 'Journal')
  await journal.getByText('No request matches').waitFor()

  await send('a', 'POST /pets', { name: 'Rex', categoryId: 1 }, { prefer: 'fault=422' })
  await send('a', '/pets?limit=3')
  await journal.getByText('GET /v1/pets?limit=3').waitFor()
  await journal.getByText('POST /v1/pets').click()
  await journal.getByText('{"name":"Rex","categoryId":1}').waitFor()
  await assertAccessible(page, 'the sandbox')
  await journal.getByLabel('Filter').fill('post 422')
  await journal.getByText('GET /v1/pets?limit=3').waitFor({ state: 'detached' })
  await journal.getByLabel('Filter').fill('')
  await journal.getByLabel('Those of this page too').check()
  await journal.getByText('/v1/events').first().waitFor()
  await journal.getByLabel('Those of this page too').uncheck()
  await journal.getByRole('button', { name: 'Clear' }).click()
  await journal.getByText('POST /v1/pets').waitFor({ state: 'detached' })

  const clock = section(page, 'Clock')
  await clock.getByLabel('Set the time', { exact: true }).fill('2030-12-06T12:00:00')
  await page.keyboard.press('Enter')
  await clock.getByText('2030').waitFor()
  await clock.getByRole('button', { name: 'Stop it' }).click()
  await clock.getByText('It stands still').waitFor()
  await clock.getByRole('button', { name: '1 day later' }).click()
  await clock.getByText('7 December 2030').waitFor()
  await clock.getByRole('textbox', { name: 'Move it by' }).fill('tomorrow')
  await page.keyboard.press('Enter')
  await clock.getByText('advance must be a duration').waitFor()
  const { now, frozen } = (await send('a', '/sandbox/clock')).body as { now: string; frozen: boolean }
  assert.deepEqual([now.slice(0, 10), frozen], ['2030-12-07', true])
})

browserTest('what waits for an Undo is sent to its own shop when another one is opened', async (t, open) => {
  const { origin, send } = await startSandbox(t)
  const rex = { name: 'Rex', categoryId: 1, status: 'available' }
  for (const shop of ['a', 'b']) await send(shop, 'POST /pets', rex)
  const tab = await open()
  await holdTimers(tab, 8_000)
  const { page } = tab
  await page.goto(`${origin}/#sign-in=a`)
  await page.getByText('Sandbox: a, nothing is kept').waitFor()
  await page.goto(`${origin}/#/animals?animal=1`)
  await page.getByRole('button', { name: 'Delete this animal' }).click()
  await page.getByText('Deleting Rex for good').waitFor()

  await page.goto(`${origin}/#sign-in=b`)
  await page.getByText('Sandbox: b, nothing is kept').waitFor()

  await eventually(async () => assert.equal((await send('a', '/pets/1')).status, 404))
  assert.equal((await send('b', '/pets/1')).status, 200)
})

browserTest('tabs of two shops whose names end alike do not share their events', async (t, open) => {
  const { origin, send } = await startSandbox(t)
  const { page, context } = await open()
  await page.goto(`${origin}/#sign-in=one-worker`)
  await page.getByText('Live', { exact: true }).waitFor()
  const other = await context.newPage()
  await other.goto(`${origin}/#sign-in=two-worker`)
  await other.getByText('Live', { exact: true }).waitFor()

  await send('one-worker', 'POST /pets', { name: 'Rex', categoryId: 1 })
  await send('two-worker', 'POST /pets', { name: 'Tom', categoryId: 1 })

  await page.bringToFront()
  await page.getByText('Rex was added').waitFor()
  await other.bringToFront()
  await other.getByText('Tom was added').waitFor()
  assert.equal(await other.getByText('Rex').count(), 0)
})

browserTest('the ways to the views of a sandbox fit beside each other', async (t, open) => {
  const { origin } = await startSandbox(t, { seed: 'demo' })
  const { page } = await open({ viewport: { width: 1280, height: 800 } })
  await page.goto(origin)
  await page.getByLabel('Name of the shop').fill('mine')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Stock' }).waitFor()

  await page.getByText('Live', { exact: true }).waitFor()
  for (const width of [1280, 1343, 1344]) {
    await page.setViewportSize({ width, height: 800 })
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
  }
  await page.setViewportSize({ width: 390, height: 800 })
  const words = await page.locator('.ways a:visible > span').all()
  const boxes = await Promise.all(words.map((word) => word.boundingBox()))
  for (const [at, box] of boxes.slice(1).entries()) {
    const before = boxes[at]
    const gap = (box?.x ?? 0) - ((before?.x ?? 0) + (before?.width ?? 0))
    assert.ok(gap >= 3, `between the words ${at + 1} and ${at + 2} are ${gap} px`)
  }
})
