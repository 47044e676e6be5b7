import assert from 'node:assert/strict'
import { join } from 'node:path'
import { startApp } from '../../support/app.ts'
import { browserTest } from '../../support/browser.ts'
import { clientTour, faultsOfTour, linesOfTour } from '../../support/client-tour.ts'
import { faultyProxy } from '../../support/faulty-proxy.ts'
import { installClient } from '../../support/installed-client.ts'

browserTest('it works in a browser, as modules, without a bundler', async (t, open) => {
  const [project, service] = await Promise.all([installClient(t), startApp(t)])
  const proxy = await faultyProxy(t, service.origin)
  const { page } = await open()
  await page.goto(`${proxy.origin}/openapi.json`)
  await page.route('**/@petstore/client/dist/*.js', (route) => {
    const path = join(project, 'node_modules', new URL(route.request().url()).pathname)
    return route.fulfill({ contentType: 'text/javascript', path })
  })
  await page.route('**/silent/**', () => undefined)
  await page.route('**/nowhere/**', (route) => route.abort('connectionrefused'))
  proxy.next(...faultsOfTour)
  const tour = clientTour({
    module: '/@petstore/client/dist/index.js',
    webhooks: '/@petstore/client/dist/webhooks.js',
    key: service.key,
    // Relative to the page.
    faulty: '/v1',
    silent: '/silent/v1',
    nowhere: '/nowhere/v1',
  })

  const lines = await page.evaluate(`(async () => {
    const lines = []
    const print = (...values) => lines.push(values.join(' '))
    ${tour}
    return lines
  })()`)

  assert.deepEqual(lines, linesOfTour)
})
