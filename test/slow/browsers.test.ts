import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { renewBundle } from '../../src/http/pages/console-bundle.ts'
import { startApp } from '../support/app.ts'
import { startFirefox } from '../support/browsers/firefox.ts'
import { visitorOf } from '../support/browsers/visitor.ts'
import { startWebKit } from '../support/browsers/webkit.ts'
import { temporaryFolder } from '../support/engines.ts'

const browsers = [
  { name: 'Firefox', start: startFirefox, packages: 'firefox-esr' },
  { name: 'WebKit', start: startWebKit, packages: 'webkit2gtk-driver and xvfb' },
]

for (const { name, start, packages } of browsers) {
  test(`${name}: staff sign in, list, add, change, order, import, find and change many animals`, {
    timeout: 300_000,
  }, async (t) => {
    const driver = await start()
    if (driver === undefined) return t.skip(`NOT TESTED: no ${name} that starts; on Debian install ${packages}`)
    t.after(() => driver.close())
    const notice = await renewBundle()
    assert.notEqual(notice?.isCurrent, false)
    const { origin, key, storage, send } = await startApp(t)
    const file = join(temporaryFolder(t), 'animals.csv')
    writeFileSync(file, 'name,categoryId,status\nKim,7,available\nLea,7,pending\n')
    const statuses = async () =>
      ((await send('/v1/pets')).body as { status: string }[]).map(({ status }) => status).join(' ')
    const visitor = visitorOf(driver)

    await visitor.open(origin)
    await visitor.clicks('API key')
    await visitor.types(key)
    await visitor.presses('Enter')
    await visitor.sees('Stock', 'h1')

    await visitor.presses('n')
    // Before the form is shown: nothing that is typed is lost.
    await visitor.types('Rex')
    await visitor.clicks('Category', 'dialog')
    await visitor.types('7')
    await visitor.clicks('Available', 'dialog')
    await visitor.clicks('Add', 'dialog')
    await visitor.sees('Rex was added with the number 1', '.notices')
    await visitor.seesNo('dialog')

    await visitor.presses('a')
    await visitor.sees('Animals', 'h1')
    await visitor.clicks('Rex', 'tbody')
    await visitor.clicks('Name', 'dialog')
    await visitor.presses('Control+a')
    await visitor.types('Max')
    await visitor.clicks('Save', 'dialog')
    await visitor.sees('Max was saved', '.notices')
    await visitor.seesNo('dialog')
    await visitor.sees('Max', 'tbody')
    assert.deepEqual((await send('/v1/pets')).body, [{ id: 1, name: 'Max', categoryId: 7, status: 'available' }])

    await visitor.clicks('Order Max')
    await visitor.clicks('Place the order', 'dialog')
    await visitor.sees('Order 1 for Max was placed', '.notices')
    await visitor.seesNo('dialog')
    await visitor.presses('o')
    await visitor.sees('Orders', 'h1')
    await visitor.sees('Max', 'tbody')
    await visitor.clicks('Cancel order 1')
    await visitor.clicks('Undo', '.notices')
    await visitor.sees('Order 1 stays open', '.notices')
    assert.equal((await storage.orders.find(1n))?.status, 'placed')

    await visitor.presses('a')
    await visitor.clicks('Import')
    await visitor.sees('Import animals', 'dialog')
    await visitor.chooses('import-file', file)
    await visitor.sees('animals.csv: 2 rows', 'dialog')
    await visitor.clicks('Next', 'dialog')
    await visitor.sees('Step 2 of 3', 'dialog')
    await visitor.clicks('Next', 'dialog')
    await visitor.clicks('Import 2 animals', 'dialog')
    await visitor.sees('2 animals were added', 'dialog')
    await visitor.clicks('Close', 'dialog')
    await visitor.seesNo('dialog')
    await visitor.sees('Lea', 'tbody')

    await visitor.presses('Control+k')
    await visitor.types('lea')
    await visitor.presses('Enter')
    await visitor.sees('Animal number 3', 'dialog')
    await visitor.presses('Escape')
    await visitor.seesNo('dialog')

    await visitor.clicks('Choose Kim')
    await visitor.clicks('Choose Lea')
    await visitor.sees('2 animals chosen')
    await visitor.clicks('Change status…')
    await visitor.clicks('Sold', 'dialog')
    await visitor.clicks('Change status', 'dialog')
    await visitor.sees('2 animals were changed', '.notices')
    assert.equal(await statuses(), 'pending sold sold')
    await visitor.clicks('Undo', '.notices')
    await visitor.sees('2 animals are as before', '.notices')
    assert.equal(await statuses(), 'pending available pending')

    await visitor.presses('Control+k')
    await visitor.types('sign out')
    await visitor.presses('Enter')
    await visitor.sees('You are signed out')
    assert.deepEqual(await visitor.complaints(), [])
  })
}
