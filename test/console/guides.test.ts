import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { guidePages } from '../../src/http/replies/guide-pages.ts'
import { startApp } from '../support/app.ts'
import { assertAccessible } from '../support/axe.ts'
import { browserTest, eventually } from '../support/browser.ts'
import { startSandbox } from '../support/sandbox.ts'

const panel = (page: Page) => page.getByRole('tabpanel')

browserTest('the languages of a guide are tabs, and the choice holds for the next guide', async (t, open) => {
  const { origin } = await startApp(t)
  const { page } = await open()
  await page.goto(`${origin}/docs/guides/paging`)

  assert.match(await panel(page).innerText(), /^next="\$URL/m)
  await page.getByRole('tab', { name: 'Python' }).click()
  assert.match(await panel(page).innerText(), /^def pages\(path\):/m)
  assert.equal(await panel(page).count(), 1)
  await page.keyboard.press('ArrowLeft')
  assert.match(await panel(page).innerText(), /import \{ PetStore \}/)
  await page.getByRole('link', { name: 'Errors', exact: true }).click()
  await page.getByRole('heading', { name: 'Errors', level: 1 }).waitFor()

  assert.match(await panel(page).innerText(), /import .* from '@petstore\/client'/)
})

browserTest('an address with the name of a language opens it', async (t, open) => {
  const { origin } = await startApp(t)
  const { page } = await open()

  await page.goto(`${origin}/docs/guides/keys#python`)
  assert.match(await panel(page).innerText(), /urllib/)
  await page.getByRole('link', { name: 'curl', exact: true }).click()

  await eventually(async () => assert.match(await panel(page).innerText(), /curl -s/))
})

browserTest('a button copies a block of code, without the prompts of a terminal', async (t, open) => {
  const { origin } = await startApp(t)
  const { page, runAtStart } = await open()
  // Other tests use the clipboard of the browser, too.
  await runAtStart('navigator.clipboard.writeText = async (text) => void (window.copied = text)')
  await page.goto(`${origin}/docs/guides`)

  const button = page.locator('.code', { hasText: 'npm init' }).getByRole('button')
  await button.click()

  await eventually(async () => assert.equal(await button.innerText(), 'Copied'))
  assert.match(String(await page.evaluate('window.copied')), /^npm init -y .*\nnpm pack /)
})

browserTest('what a terminal prints below a command is not copied', async (t, open) => {
  const { origin } = await startApp(t)
  const { page, runAtStart } = await open()
  await runAtStart('navigator.clipboard.writeText = async (text) => void (window.copied = text)')
  await page.goto(`${origin}/docs/guides/finding-bugs`)

  const button = page.locator('.code', { hasText: '--reveal 42\n' }).getByRole('button')
  await button.click()

  await eventually(async () => assert.equal(await button.innerText(), 'Copied'))
  assert.match(String(await page.evaluate('window.copied')), /^\S.* sandbox --reveal 42\n$/)
})

browserTest('the End key goes to the last language and does not scroll the page', async (t, open) => {
  const { origin } = await startApp(t)
  const { page } = await open()
  await page.goto(`${origin}/docs/guides/paging`)
  await page.getByRole('tab', { name: 'curl' }).click()
  const top = await page.evaluate('scrollY')
  await page.evaluate(`addEventListener('keydown', (event) => (window.isPrevented = event.defaultPrevented))`)

  await page.keyboard.press('End')

  assert.equal(await page.getByRole('tab', { name: 'Python' }).getAttribute('aria-selected'), 'true')
  assert.equal(await page.evaluate('window.isPrevented'), true)
  assert.equal(await page.evaluate('scrollY'), top)
})

browserTest('on a phone no copy button covers code', async (t, open) => {
  const { origin } = await startApp(t)
  const { page } = await open({ viewport: { width: 390, height: 844 } })
  await page.goto(`${origin}/docs/guides/paging`)
  const block = page.locator('.code:has(.copy)').filter({ visible: true }).first()

  const button = await block.getByRole('button').boundingBox()
  const code = await block.locator('code').boundingBox()

  assert.ok(button !== null && code !== null)
  assert.ok(button.y + button.height <= code.y, `${button.y + button.height} > ${code.y}`)
})

browserTest('a guide works with a broken address', async (t, open) => {
  const { origin } = await startApp(t)
  const { page } = await open()

  await page.goto(`${origin}/docs/guides/events#%`)

  await page.getByRole('searchbox', { name: 'Find in this page' }).waitFor()
})

browserTest('a guide works without storage', async (t, open) => {
  const { origin } = await startApp(t)
  const { page, runAtStart } = await open()
  await runAtStart(`Object.defineProperty(window, 'sessionStorage', {
    get() { throw new DOMException('Denied', 'SecurityError') },
  })`)

  await page.goto(`${origin}/docs/guides/paging`)

  await page.getByRole('searchbox', { name: 'Find in this page' }).waitFor()
  await page.getByRole('tab', { name: 'Python' }).click()
  assert.equal(await panel(page).count(), 1)
  assert.ok((await page.getByRole('button', { name: 'Copy' }).count()) > 0)
})

browserTest('a part of a guide that fails does not stop the others', async (t, open) => {
  const { origin } = await startApp(t)
  const { page, runAtStart } = await open()
  await runAtStart(`{
    const { querySelectorAll } = Document.prototype
    Document.prototype.querySelectorAll = function (selector) {
      if (selector === '.languages') throw new Error('no languages')
      return querySelectorAll.call(this, selector)
    }
    // The browser would report it as an error of the page, which fails every test.
    addEventListener('error', (event) => event.preventDefault())
  }`)

  await page.goto(`${origin}/docs/guides/paging`)

  await page.getByRole('searchbox', { name: 'Find in this page' }).waitFor()
})

browserTest('a text is found in the page, also in a language that is not shown', async (t, open) => {
  const { origin } = await startApp(t)
  const { page } = await open()
  await page.goto(`${origin}/docs/guides/paging`)
  const field = page.getByRole('searchbox', { name: 'Find in this page' })
  const found = page.locator('.find output')

  await field.fill('LIMIT is the size of a page')
  await eventually(async () => assert.equal(await found.innerText(), '1 of 1'))
  await field.fill('def pages')
  await eventually(async () => assert.match(await panel(page).innerText(), /^def pages/m))
  await field.fill('tom')
  await field.press('Enter')
  await eventually(async () => assert.match(await found.innerText(), /^2 of [2-9]/))
  await field.fill('zebra')

  await eventually(async () => assert.equal(await found.innerText(), 'Not found'))
})

browserTest(
  'in a tab that is signed in, commands have the address of this service, and never the key',
  async (t, open) => {
    const { origin, key } = await startApp(t)
    const { page } = await open({ key })
    await page.goto(`${origin}/docs/guides/paging`)

    assert.ok((await panel(page).innerText()).includes(`next="${origin}/v1/pets?categoryId=2`))
    assert.ok(await page.getByText('You are signed in').isVisible())
    assert.ok(!(await page.content()).includes(key))
    // A real shop has no operations of a sandbox.
    await page.goto(`${origin}/docs/guides/sandbox`)
    assert.match(await panel(page).innerText(), /"\$URL\/sandbox\/reset"/)
    // It adds and removes animals.
    await page.goto(`${origin}/docs/verify`)
    await page.getByRole('button', { name: 'Copy' }).first().waitFor()
    assert.ok(!(await page.locator('main').innerText()).includes(origin))
  },
)

browserTest('in a shop of a sandbox the commands for a sandbox have its address', async (t, open) => {
  const { origin } = await startSandbox(t)
  const { page } = await open({ key: 'sandbox_guides' })

  await page.goto(`${origin}/docs/guides/sandbox`)

  assert.ok((await panel(page).innerText()).includes(`"${origin}/v1/sandbox/reset"`))
  await page.goto(`${origin}/docs/verify`)
  await page.getByText(`petstore verify --url ${origin}/v1`).first().waitFor()
})

browserTest('axe finds no fault in the guides, in light or dark mode, and nothing overflows', async (t, open) => {
  const { origin } = await startApp(t)
  const { page } = await open()
  for (const path of ['guides', 'guides/paging', 'testing-against-it', 'bugs', 'verify', 'webhooks', 'agents']) {
    await page.goto(`${origin}/docs/${path}`)
    for (const width of [320, 704, 895, 1280]) {
      await page.setViewportSize({ width, height: 900 })
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, `${path}, ${width}`)
    }
    await assertAccessible(page, path)
  }
})

browserTest('a printed guide has every language and all code, and nothing to press', async (t, open) => {
  const { origin } = await startApp(t)
  const { page } = await open()
  await page.goto(`${origin}/docs/guides/paging`)

  await page.emulateMedia({ media: 'print' })

  for (const name of ['curl', 'TypeScript', 'Python'])
    assert.ok(await page.getByRole('heading', { name, exact: true }).isVisible(), name)
  assert.equal(await page.getByRole('button').filter({ visible: true }).count(), 0)
  assert.ok(await page.locator('.top').isHidden())
  assert.ok(await page.locator('#pages').isHidden())
})

browserTest('every guide fits the width of a sheet of A4 with margins of 1 cm', async (t, open) => {
  const { origin } = await startApp(t)
  const { page } = await open({ viewport: { width: 718, height: 1047 } })
  await page.emulateMedia({ media: 'print' })

  for (const { path } of guidePages) {
    await page.goto(`${origin}${path}`)
    assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, path)
  }
})

browserTest('a guide can be read without its script', async (t, open) => {
  const { origin } = await startApp(t)
  const { page } = await open()
  await page.route('**/console/guides-*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
  await page.goto(`${origin}/docs/guides/paging`)

  for (const text of ['next="$URL', 'for await (const pet', 'def pages(path)'])
    assert.ok(await page.getByText(text).first().isVisible(), text)
})

browserTest('the settings of the console lead to the guides', async (t, open) => {
  const { origin, key } = await startApp(t)
  const { page } = await open({ key })
  await page.goto(`${origin}/#/settings`)

  await page.getByRole('link', { name: 'Guides' }).click()

  await page.getByRole('heading', { name: 'Guides', level: 1 }).waitFor()
})
