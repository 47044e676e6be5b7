import assert from 'node:assert/strict'
import { signInLink } from '../../src/cli/serving/sign-in-link.ts'
import { startApp } from '../support/app.ts'
import { browserTest } from '../support/browser.ts'

browserTest('the printed link signs in, leaves no code in the address, and works once', async (t, open) => {
  const link = signInLink()
  const { origin, key } = await startApp(t, { redeemCode: link.redeem })
  const address = `${origin}/#sign-in=${link.issueLink(key)}`
  const { page } = await open()

  await page.goto(address)
  await page.getByRole('heading', { name: 'Stock' }).waitFor()
  assert.equal(page.url(), `${origin}/`)
  await page.goBack().catch(() => null)
  assert.ok(!page.url().includes('sign-in'))

  const { page: second } = await open()
  await second.goto(address)
  await second.getByText('was used already').waitFor()
  assert.equal(second.url(), `${origin}/`)
})

browserTest('the printed link expires after 15 minutes', async (t, open) => {
  let now = 0
  const link = signInLink(() => now)
  const { origin, key } = await startApp(t, { redeemCode: link.redeem })
  const code = link.issueLink(key)
  const { page } = await open()

  now = 15 * 60_000
  await page.goto(`${origin}/#sign-in=${code}`)

  await page.getByText('more than 15 minutes old').waitFor()
})

browserTest('the printed link works in a tab that already shows the console', async (t, open) => {
  const link = signInLink()
  const { origin, key } = await startApp(t, { redeemCode: link.redeem })
  const { page } = await open()
  await page.goto(origin)
  await page.getByLabel('API key').waitFor()

  await page.goto(`${origin}/#sign-in=${link.issueLink(key)}`)

  await page.getByRole('heading', { name: 'Stock' }).waitFor()
  assert.equal(page.url(), `${origin}/`)
})

browserTest('a used link does not sign out', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })

  await page.goto(`${origin}/#sign-in=used`)

  await page.getByRole('heading', { name: 'Stock' }).waitFor()
  await page.getByText('was used already').waitFor()
})

browserTest('a link with an invalid code shows an error', async (t, open) => {
  const { origin } = await startApp(t)
  const { page } = await open()

  await page.goto(`${origin}/#sign-in=%`)

  await page.getByText('was used already').waitFor()
  await page.getByLabel('API key').waitFor()
})
