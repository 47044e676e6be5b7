import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newPostgresDatabase, runSql } from '../../support/postgres-databases.ts'
import { run, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { startReceiver } from '../../support/webhook-receiver.ts'

const refuse = `
  CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'a secret of the database'; END $$;
  CREATE TRIGGER refuse BEFORE UPDATE ON delivery_lease FOR EACH ROW EXECUTE FUNCTION refuse()`

for (const workers of [1, 2]) {
  test(`deliveries that cannot be stored show in the webhook, the log, the metrics and doctor, with ${workers} processes`, async (t) => {
    const receiver = await startReceiver(t)
    const env = {
      PETSTORE_DATABASE_URL: await newPostgresDatabase(),
      PETSTORE_WEBHOOKS_ALLOW_PRIVATE: 'true',
      PETSTORE_API_KEY: 'a-key-of-twenty-characters',
    }
    const { origin, output, stop } = await startService(t, { env, args: ['--workers', String(workers)] })
    const headers = { authorization: `Bearer ${env.PETSTORE_API_KEY}`, 'content-type': 'application/json' }
    const post = (path: string, body: object) =>
      fetch(`${origin}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const shown = async () => {
      const [webhook] = (await (await fetch(`${origin}/v1/webhooks`, { headers })).json()) as Record<string, string>[]
      return webhook
    }
    const stalledSeconds = async () => {
      const text = await (await fetch(`${origin}/metrics`, { headers })).text()
      return Number(/^petstore_webhook_deliveries_stalled_seconds (\d+)$/m.exec(text)?.[1])
    }
    const doctor = async () => (await run(t, ['doctor'], { env })).stdout
    await runSql(env.PETSTORE_DATABASE_URL, refuse)

    await post('/webhooks', { url: `${receiver.url}/hook` })
    await post('/pets', { name: 'Rex', categoryId: 1 })
    assert.equal((await shown())?.['stalledSince'], undefined)
    await until(async () => (await shown())?.['stalledReason'] === 'storage', 60_000)
    await until(() => output.stderr.includes('deliveries to webhooks stand still'), 60_000)
    await until(async () => /problem +webhooks +No process sends/.test(await doctor()), 60_000)

    assert.ok((await stalledSeconds()) >= 10)
    assert.ok(Date.parse((await shown())?.['stalledSince'] ?? '') <= Date.now() - 10_000)
    assert.equal(JSON.stringify(await shown()).includes('secret of the database'), false)

    await runSql(env.PETSTORE_DATABASE_URL, 'DROP TRIGGER refuse ON delivery_lease')
    await until(() => receiver.received.length === 1, 60_000)
    await until(async () => (await shown())?.['stalledSince'] === undefined, 60_000)
    await until(() => output.stderr.includes('deliveries to webhooks go on'), 60_000)
    assert.equal(await stalledSeconds(), 0)
    assert.doesNotMatch(await doctor(), /No process sends/)
    assert.equal(await stop(), 0)
  })
}
