import assert from 'node:assert/strict'
import type { TestApp } from '../support/app.ts'
import { startApp } from '../support/app.ts'
import { browserTest, eventually } from '../support/browser.ts'

const url = 'https://shop.example.com/hook'

interface Webhook {
  id: number
  url: string
  enabled: boolean
  types?: string[]
  description?: string
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
    await page.getByText('url must be a public address').waitFor()
    await page.getByLabel('Address').fill(url)
    await page.getByLabel('What is it for?').fill('The warehouse')
    await page.getByLabel('An order was placed').check()
    await page.getByRole('button', { name: 'Make the webhook' }).click()
    await page.getByRole('heading', { name: 'The secret of the webhook' }).waitFor()
    const made = await copied()
    assert.match(made, /^whsec_/)
    await eventually(async () => assert.equal((await page.content()).includes(made), false))
    const row = page.getByRole('row', { name: /shop\.example\.com/ })
    await row.getByText('The warehouse').waitFor()
    assert.deepEqual((await webhooksOf(app))[0]?.types, ['petstore.order.placed'])

    await page.getByRole('link', { name: url }).click()
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('An order was placed').uncheck()
    await page.getByLabel('What is it for?').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The webhook is changed').waitFor()
    const [changed] = await webhooksOf(app)
    assert.deepEqual([changed?.url, changed?.types, changed?.description], [url, undefined, undefined])

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
