import assert from 'node:assert/strict'
import type { Route } from 'playwright-core'
import type { TestApp } from '../support/app.ts'
import type { Stall } from '../../src/inventory/deliveries.ts'
import { startApp } from '../support/app.ts'
import { browserTest, eventually } from '../support/browser.ts'
import { startReceiver } from '../support/webhook-receiver.ts'

const url = 'https://shop.example.com/hook'

interface Webhook {
  id: number
  url: string
  enabled: boolean
  types?: string[]
  description?: string
  format: string
}

/** Notes that so many tries of the next event of the first webhook have failed. */
async function failNextEvent({ storage: { deliveries } }: TestApp, attempts = 1): Promise<void> {
  const lease = await deliveries.acquire('a process that delivers', 60_000)
  assert.ok(lease !== undefined)
  const position = { webhookId: 1n, eventId: 0n, attempts, ...(attempts > 0 && { failingSince: Date.now() }) }
  await deliveries.record(lease, 60_000, { positions: [position], tries: [] })
}

const webhooksOf = async ({ send }: TestApp) => (await send('/v1/webhooks')).body as Webhook[]

browserTest(
  'an admin makes a webhook, changes it, turns it off and on, renews its secret and removes it',
  async (t, open) => {
    const app = await startApp(t)
    const { page, context } = await open({ key: app.key })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: app.origin })
    const copied = async () => {
      await page.getByRole('button', { name: 'Copy' }).click()
      await page.getByText('Copied.').waitFor()
      const secret = (await page.evaluate('navigator.clipboard.readText()')) as string
      await page.getByRole('button', { name: 'Done' }).click()
      return secret
    }
    await page.goto(`${app.origin}/#/settings`)
    await page.getByRole('link', { name: 'Manage webhooks' }).click()
    await page.getByRole('heading', { name: 'No webhooks' }).waitFor()

    await page.getByRole('button', { name: 'Make a webhook' }).click()
    await page.getByLabel('Address').fill('http://127.0.0.1/hook')
    await page.getByRole('button', { name: 'Make the webhook' }).click()
    await page.getByText('The address must be a public one').waitFor()
    // On a small screen the refused field may be out of sight.
    await eventually(async () => assert.equal(await page.evaluate('document.activeElement.id'), 'webhook-url'))
    await page.getByLabel('Address').fill('http://a..b/')
    await page.getByRole('button', { name: 'Make the webhook' }).click()
    await page.getByText('The address cannot be right.').waitFor()
    assert.doesNotMatch(await page.getByRole('dialog').innerText(), /\burl\b/i)
    await page.getByLabel('Address').fill(url)
    await page.getByLabel('What is it for?').fill('The warehouse')
    await page.getByLabel('An order was placed').check()
    await page.getByLabel('Format').selectOption('CloudEvents')
    await page.getByRole('button', { name: 'Make the webhook' }).click()
    await page.getByRole('heading', { name: 'The secret of the webhook' }).waitFor()
    const made = await copied()
    assert.match(made, /^whsec_/)
    await eventually(async () => assert.equal((await page.content()).includes(made), false))
    const row = page.getByRole('row', { name: /shop\.example\.com/ })
    await row.getByText('The warehouse').waitFor()
    await row.getByText('An order was placed, as CloudEvents').waitFor()
    const [stored] = await webhooksOf(app)
    assert.deepEqual([stored?.types, stored?.format], [['petstore.order.placed'], 'cloudevents'])

    await page.getByRole('link', { name: url }).click()
    await page.getByRole('button', { name: 'Change' }).click()
    assert.equal(await page.getByLabel('Format').inputValue(), 'cloudevents')
    await page.getByLabel('Format').selectOption('JSON')
    await page.getByLabel('An order was placed').uncheck()
    await page.getByLabel('What is it for?').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The webhook is changed').waitFor()
    const [changed] = await webhooksOf(app)
    assert.deepEqual([changed?.url, changed?.types, changed?.description], [url, undefined, undefined])
    assert.equal(changed?.format, 'json')

    await page.getByRole('button', { name: 'Turn off' }).click()
    await page.getByRole('dialog').getByText('Turned off, since today').waitFor()
    assert.equal((await webhooksOf(app))[0]?.enabled, false)
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('events from now on are sent').waitFor()
    assert.equal((await webhooksOf(app))[0]?.enabled, true)

    await page.getByRole('button', { name: 'New secret' }).click()
    await page.getByRole('button', { name: 'Make a new secret' }).click()
    const rotated = await copied()
    assert.ok(rotated.startsWith('whsec_') && rotated !== made)

    await page.getByRole('button', { name: 'Remove this webhook' }).click()
    await page.getByRole('button', { name: 'Remove for good' }).click()
    await page.getByText('The webhook is removed').waitFor()
    await page.getByRole('heading', { name: 'No webhooks' }).waitFor()
    assert.deepEqual(await webhooksOf(app), [])
  },
)

browserTest('the list says at a glance which webhooks are off, and why', async (t, open) => {
  const app = await startApp(t)
  for (const path of ['a', 'b', 'c']) await app.sendJson('POST /v1/webhooks', { url: `${url}/${path}` })
  await app.sendJson('PATCH /v1/webhooks/1', { enabled: false })
  await app.storage.webhooks.disable(2n, 'failed')
  const { page } = await open({ key: app.key })

  await page.goto(`${app.origin}/#/webhooks`)

  await page.getByRole('row', { name: /hook\/a .*Turned off, since today/ }).waitFor()
  await page.getByRole('row', { name: /hook\/b .*Off: it took no event for three days, since today/ }).waitFor()
  await page.getByRole('row', { name: /hook\/c .*On/ }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Settings' }).getAttribute('aria-current'), 'page')
})

browserTest('a webhook that fails says so at a glance, and its deliveries say why', async (t, open) => {
  let status = 204
  const receiver = await startReceiver(t, () => status)
  let stall: Stall | undefined
  const app = await startApp(t, { webhookAddresses: { allowPrivate: true }, deliveryStall: async () => stall })
  await app.storage.webhooks.create({ url: `${receiver.url}/hook` })
  await app.create({ name: 'Rex', categoryId: 1 })
  await failNextEvent(app)
  const tried = { webhookId: 1n, eventId: 1n, type: 'petstore.pet.created', at: Date.now(), durationMs: 12 }
  for (let attempt = 1; attempt <= 10; attempt++) {
    await app.storage.deliveries.addTry({ ...tried, attempt, error: 'connect ECONNREFUSED 127.0.0.1:1' })
  }
  await app.storage.deliveries.addTry({ ...tried, attempt: 11, error: 'something new' })
  await app.storage.deliveries.addTry({ ...tried, attempt: 12, status: 500, responseStart: '<b>Out of memory</b>' })
  const { page } = await open({ key: app.key })

  await page.goto(`${app.origin}/#/webhooks`)
  const failing = 'Failing: it does not take its next event, since'
  await page.getByRole('row', { name: new RegExp(failing) }).waitFor()
  await page.getByRole('link', { name: `${receiver.url}/hook` }).click()
  await page.getByRole('dialog').getByText(failing).waitFor()

  const tries = page.getByRole('dialog').locator('.history li')
  const newest = tries.first()
  await newest.getByText('Refused: its program failed (500)').waitFor()
  await newest.getByText(/^An animal was added \(event 1-\w{8}\)/).waitFor()
  await newest.getByText('try 12, 12 ms').waitFor()
  await newest.getByText('Response').click()
  await newest.getByText('<b>Out of memory</b>').waitFor()
  assert.equal(await tries.count(), 10)
  await tries.nth(1).getByText('Not taken: something new').waitFor()
  assert.equal(await tries.nth(1).getByText('something new').count(), 1, 'the error is shown twice')
  await tries.nth(2).getByText('Not taken: nothing listens at its address').waitFor()
  await tries.nth(2).getByText('Details').click()
  await tries.nth(2).getByText('connect ECONNREFUSED').waitFor()
  await page.getByRole('button', { name: 'Show older deliveries' }).click()
  await eventually(async () => assert.equal(await tries.count(), 12))

  await newest.getByRole('button', { name: /^Send event 1-\w{8} again$/ }).click()
  await newest.getByText('Taken (204)').waitFor()
  assert.deepEqual(receiver.ids('/hook'), ['1'])
  status = 410
  await page.getByRole('button', { name: 'Send a test' }).click()
  await newest.getByText('A test').waitFor()
  await newest.getByText('Refused for good (410)').waitFor()
  await page.getByRole('alert').filter({ hasText: 'Refused for good (410)' }).waitFor()
  assert.equal(await newest.getByRole('button', { name: /again/ }).count(), 0)
  await eventually(async () => assert.equal(await tries.count(), 14))
  await page.getByLabel('Only failures (13 of 14)').check()
  await eventually(async () => assert.equal(await tries.count(), 13))

  await failNextEvent(app, 0)
  await page.getByRole('button', { name: 'Look again' }).click()
  await page.getByRole('dialog').getByText(failing).waitFor({ state: 'detached' })

  stall = { since: Date.now(), reason: 'thread' }
  await page.getByRole('button', { name: 'Look again' }).click()
  const stalled = 'No events are sent to anybody: the part that sends them does not respond, since'
  await page.getByRole('dialog').getByText(stalled).waitFor()
})

browserTest(
  'a test that cannot be sent says why, and a webhook without deliveries that there are none',
  async (t, open) => {
    const app = await startApp(t)
    await app.sendJson('POST /v1/webhooks', { url })
    const { page } = await open({ key: app.key })
    await page.goto(`${app.origin}/#/webhooks?webhook=1`)
    await page.getByText('Nothing was sent in the last seven days.').waitFor()
    // Not before the click: the page may read the webhook again at any time.
    await page.route('**/v1/webhooks/1/test', async (route) => {
      await app.storage.webhooks.remove(1n)
      await route.fallback()
    })

    await page.getByRole('button', { name: 'Send a test' }).click()

    await page.getByRole('heading', { name: 'No webhook has the number 1' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Send a test' }).count(), 0)
  },
)

browserTest('a change that somebody else made meanwhile is not undone', async (t, open) => {
  const app = await startApp(t)
  await app.sendJson('POST /v1/webhooks', { url })
  const { page } = await open({ key: app.key })
  await page.goto(`${app.origin}/#/webhooks?webhook=1`)

  await page.getByRole('button', { name: 'Change' }).click()
  await app.sendJson('PATCH /v1/webhooks/1', { description: 'Of somebody else' })
  await page.getByLabel('What is it for?').fill('Mine')
  await page.getByRole('button', { name: 'Save' }).click()

  await page.getByText('Somebody changed this meanwhile.').waitFor()
  assert.equal((await webhooksOf(app))[0]?.description, 'Of somebody else')

  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').getByText('Of somebody else').waitFor()
  // Not before the click: the page may read the webhook again at any time.
  const disable = async (route: Route) => {
    if (route.request().method() === 'PATCH') await app.storage.webhooks.disable(1n, 'gone')
    await route.fallback()
  }
  await page.route('**/v1/webhooks/1', disable)
  await page.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('dialog').getByText('Off: its address is gone (410)').waitFor()
  await page.unroute('**/v1/webhooks/1', disable)
  await page.getByRole('button', { name: 'Turn on' }).click()
  await page.getByText('events from now on are sent').waitFor()
  await app.storage.webhooks.disable(1n, 'failed')
  await page.getByRole('button', { name: 'Look again' }).click()
  await page.getByRole('dialog').getByText('Off: it took no event for three days').waitFor()
})

browserTest('webhooks are hidden from a key that may not manage them', async (t, open) => {
  const { origin, makeKey } = await startApp(t)
  const { secret } = await makeKey({ permission: 'write' })
  const { page, requests } = await open({ key: secret })

  await page.goto(`${origin}/#/webhooks`)
  await page.getByRole('heading', { name: 'Stock' }).waitFor()
  await page.goto(`${origin}/#/settings`)
  await page.getByRole('heading', { name: 'Settings' }).waitFor()

  assert.equal(await page.getByRole('link', { name: 'Manage webhooks' }).count(), 0)
  assert.equal(requests.includes('GET /v1/webhooks'), false)
})
