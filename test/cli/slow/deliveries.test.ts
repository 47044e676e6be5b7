import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postgres, sqlite } from '../../support/engines.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { startReceiver, verify } from '../../support/webhook-receiver.ts'

for (const [engine, workers] of [
  [sqlite, 1],
  [sqlite, 2],
  [postgres, 2],
] as const) {
  test(`${engine.name}: a service with ${workers} processes delivers events, goes on after a restart, and logs and counts what fails and what it disables`, async (t) => {
    const receiver = await startReceiver(t)
    const gone = await startReceiver(t, () => 410)
    const broken = await startReceiver(t, () => 500)
    const env = {
      PETSTORE_DATABASE_URL: await engine.url(t),
      PETSTORE_WEBHOOKS_ALLOW_PRIVATE: 'true',
      PETSTORE_API_KEY: 'a-key-of-twenty-characters',
    }
    const start = () => startService(t, { env, args: ['--workers', String(workers)] })
    const headers = { authorization: `Bearer ${env.PETSTORE_API_KEY}`, 'content-type': 'application/json' }
    const post = async (origin: string, path: string, body: object) => {
      const response = await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      assert.equal(response.status, 201)
      return (await response.json()) as { secret: string }
    }
    const first = await start()
    const { secret } = await post(first.origin, '/v1/webhooks', { url: `${receiver.url}/hook` })

    await post(first.origin, '/v1/webhooks', { url: `${gone.url}/hook?token=hidden` })
    await post(first.origin, '/v1/webhooks', { url: `${broken.url}/hook` })
    for (let count = 0; count < 3; count++) await post(first.origin, '/v1/pets', { name: 'Rex', categoryId: 1 })
    await until(() => receiver.received.length === 3)
    const metrics = async () => (await fetch(`${first.origin}/metrics`, { headers })).text()
    await until(async () => /^petstore_webhook_tries_total\{result="delivered"\} 3$/m.test(await metrics()))
    await until(async () => /^petstore_webhook_tries_total\{result="refused"\} (?:[2-9]|\d\d)/m.test(await metrics()))
    await until(async () => /^petstore_webhooks_disabled_total\{reason="gone"\} 1$/m.test(await metrics()))
    assert.match(await metrics(), /^petstore_webhooks\{state="enabled"\} 2$/m)
    // Any process sends a test, and is counted.
    const sent = await fetch(`${first.origin}/v1/webhooks/1/test`, { method: 'POST', headers })
    assert.equal(sent.status, 200)
    await until(async () => /^petstore_webhook_tries_total\{result="delivered"\} 4$/m.test(await metrics()))
    assert.equal(await first.stop(), 0)
    const failing = first.output.stderr.split('\n').filter((line) => line.includes('failed and is tried again'))
    assert.match(failing.join('\n'), new RegExp(`^{.*"webhookId":"3","origin":"${broken.url}".*"status":500.*}$`))
    const disabled = first.output.stderr.split('\n').filter((line) => line.includes('a webhook was disabled'))
    assert.match(disabled.join('\n'), new RegExp(`^{.*"webhookId":"2","origin":"${gone.url}","reason":"gone".*}$`))
    const second = await start()
    await post(second.origin, '/v1/pets', { name: 'Tom', categoryId: 1 })
    await until(() => receiver.ids().includes('4'))

    const tested = receiver.received.find(({ type }) => type === 'petstore.webhook.test')
    assert.deepEqual(receiver.ids(), ['1', '2', '3', tested?.id, '4'])
    for (const each of receiver.received) verify(each, secret)
    assert.equal(await second.stop(), 0)
  })
}
