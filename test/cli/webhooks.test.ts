import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStorage } from '../../src/storage/open.ts'
import { postgres, sqlite } from '../support/engines.ts'
import { run } from '../support/service.ts'

const url = 'https://shop.example.com/hook'

for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: petstore webhooks lists and disables webhooks, and no verb shows a secret`, async (t) => {
    const databaseUrl = await engine.url(t)
    const env = { PETSTORE_DATABASE_URL: databaseUrl }
    const storage = await openStorage(databaseUrl, { environment: 'production' })
    await storage.webhooks.create({ url, types: ['petstore.pet.created', 'petstore.order.placed'] })
    await storage.webhooks.create({ url: `${url}/2`, description: 'two', format: 'cloudevents' })
    await storage.webhooks.create({ url: `${url}/3` })
    const secrets = (await storage.webhooks.enabled()).map(({ secret }) => secret)
    await storage.close()

    const listed = await run(t, ['webhooks', 'list'], { env })
    const one = await run(t, ['webhooks', 'disable', '2'], { env })
    const again = await run(t, ['webhooks', 'disable', '2', '--json'], { env })
    const all = await run(t, ['webhooks', 'disable', '--all'], { env })
    const asJson = await run(t, ['webhooks', 'list', '--json'], { env })
    const others = [
      await run(t, ['doctor', '--json'], { env: { ...env, PETSTORE_PORT: '0' } }),
      await run(t, ['export'], { env }),
    ]

    const lines = listed.stdout.split('\n')
    assert.match(lines[1] ?? '', new RegExp(`^1 +${url} +enabled +json +pet\\.created order\\.placed$`))
    assert.match(lines[2] ?? '', new RegExp(`^2 +${url}/2 +enabled +cloudevents +all$`))
    assert.match(one.stdout, /^Disabled 1 webhook in /)
    assert.equal(again.stdout, '{"disabled":0}\n')
    assert.match(all.stdout, /^Disabled 2 webhooks in /)
    const webhooks = JSON.parse(asJson.stdout) as { id: number; enabled: boolean; disabledReason: string }[]
    assert.deepEqual(
      webhooks.map(({ id, enabled, disabledReason }) => [id, enabled, disabledReason]),
      [1, 2, 3].map((id) => [id, false, 'requested']),
    )
    for (const ran of [listed, one, again, all, asJson]) {
      assert.deepEqual([ran.code, ran.stderr], [0, ''])
    }
    for (const { stdout, stderr } of [listed, one, again, all, asJson, ...others])
      for (const secret of secrets) assert.equal(`${stdout}${stderr}`.includes(secret.slice(6, 20)), false)
  })
}

test('petstore webhooks disable needs the id of a webhook, or --all', async (t) => {
  const env = { PETSTORE_DATABASE_URL: await sqlite.url(t) }
  await (await openStorage(env.PETSTORE_DATABASE_URL, { environment: 'production' })).close()

  const results = []
  for (const args of [[], ['1', '--all'], ['7'], ['x']])
    results.push(await run(t, ['webhooks', 'disable', ...args], { env }))

  assert.deepEqual(
    results.map(({ code, stderr }) => [code, stderr]),
    [
      [1, 'petstore: Name the id of a webhook, or --all.\n'],
      [1, 'petstore: Name the id of a webhook, or --all.\n'],
      [1, 'petstore: No webhook has the id "7": petstore webhooks list shows them.\n'],
      [1, 'petstore: No webhook has the id "x": petstore webhooks list shows them.\n'],
    ],
  )
})
