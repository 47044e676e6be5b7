import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { openForWriting } from '../../../src/storage/sqlite/connection/database.ts'
import { postgres, sqlite, temporaryFolder } from '../../support/engines.ts'
import { run, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { startReceiver } from '../../support/webhook-receiver.ts'

const key = 'a-key-of-twenty-characters'

for (const engine of [sqlite, postgres]) {
  test(`${engine.name}: no secret of a webhook is in a log, metric, response, export, backup listing or output of a command`, async (t) => {
    const url = await engine.url(t)
    const folder = temporaryFolder(t)
    const env = {
      PETSTORE_DATABASE_URL: url,
      PETSTORE_API_KEY: key,
      PETSTORE_WEBHOOKS_ALLOW_PRIVATE: 'true',
      PETSTORE_LOG_LEVEL: 'debug',
      ...(engine === sqlite && { PETSTORE_BACKUP_FOLDER: folder }),
    }
    const backup = join(folder, 'one.backup')
    let status = 500
    const receiver = await startReceiver(t, () => status)
    const service = await startService(t, { env })
    const seen = new Map<string, string>()
    const request = async (start: string, body?: unknown): Promise<string> => {
      const [method = '', path = ''] = start.split(' ')
      const response = await fetch(`${service.origin}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return `${response.status} ${JSON.stringify([...response.headers])} ${await response.text()}`
    }
    const look = async (start: string, body?: unknown) =>
      void seen.set(`${start} ${seen.size}`, await request(start, body))
    const runs = async (args: string[], expected = 0) => {
      const { code, stdout, stderr } = await run(t, args, { env })
      // A doctor finds the settings of a test server wrong.
      if (args[0] !== 'doctor') assert.equal(code, expected, `${args.join(' ')}: ${stdout}${stderr}`)
      seen.set(`petstore ${args.join(' ')} ${seen.size}`, `${code} ${stdout}${stderr}`)
    }
    const secretIn = (response: string) => /whsec_[A-Za-z0-9+/=]+/.exec(response)?.[0] ?? assert.fail(response)

    const first = secretIn(await request('POST /v1/webhooks', { url: receiver.url }))
    const second = secretIn(await request('POST /v1/webhooks/1/rotate'))
    await look('POST /v1/pets', { name: 'Rex', categoryId: 1 })
    await until(async () => (await request('GET /v1/webhooks/1/deliveries')).includes('"attempt":1'))
    await look('POST /v1/webhooks/1/deliveries/1/resend')
    status = 410
    await look('POST /v1/webhooks/1/test')
    await look('GET /v1/webhooks')
    await look('GET /v1/webhooks/1')
    await look('PATCH /v1/webhooks/1', { description: 'Of the warehouse' })
    await look('GET /v1/webhooks/1/deliveries')
    await look('GET /v1/events')
    await look('GET /v1/pets/export?format=ndjson')
    await look('GET /metrics')
    // A secret in the place of something else is not repeated.
    for (const wrong of [{ url: second }, { url: receiver.url, types: [second] }])
      await look('POST /v1/webhooks', wrong)
    await look(`GET /v1/webhooks?cursor=${encodeURIComponent(second)}`)
    for (const text of [second, encodeURIComponent(second), second.replace('_', '%5F')])
      await look(`GET /v1/webhooks/${text}`)
    // It is gone for good: the log says that it was disabled.
    await look('PATCH /v1/webhooks/1', { enabled: false })
    await look('PATCH /v1/webhooks/1', { enabled: true })
    await look('POST /v1/pets', { name: 'Tom', categoryId: 1 })
    await until(() => (service.output.stdout + service.output.stderr).includes('a webhook was disabled'))
    const commands = [
      ['doctor'],
      ['doctor', '--json'],
      ['webhooks', 'list'],
      ['webhooks', 'list', '--json'],
      ['check'],
      ['check', '--json'],
      ['export', '--format', 'ndjson'],
      ['export-orders', '--format', 'ndjson'],
      ...(engine === sqlite ? [['backup', backup]] : []),
    ]
    for (const args of commands) await runs(args)
    await service.stop()
    seen.set('the log', service.output.stdout + service.output.stderr)
    await runs(['copy', '--from', url, '--to', `sqlite:${join(folder, 'copy.db')}`])
    if (engine === sqlite) {
      await runs(['restore', '--overwrite', backup])
      // A damaged row is described, not shown.
      const db = openForWriting(url.replace('sqlite:', ''))
      db.exec("UPDATE webhooks SET secret = secret || 'x'")
      db.close()
      await runs(['check'], 1)
      await runs(['webhooks', 'list'])
    }

    for (const [what, text] of seen) {
      for (const secret of [first, second]) {
        assert.equal(text.includes(secret.slice('whsec_'.length, -4)), false, `${what}: ${text}`)
      }
    }
  })
}
