import assert from 'node:assert/strict'
import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { childrenOf } from '../../support/children.ts'
import { temporaryFolder } from '../../support/engines.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { startReceiver } from '../../support/webhook-receiver.ts'

test('a symbolic link is followed once: deliveries and new workers use the file of the start', async (t) => {
  const cwd = temporaryFolder(t)
  const receiver = await startReceiver(t)
  symlinkSync('real.db', join(cwd, 'link.db'))
  const env = { PETSTORE_DATABASE_URL: 'sqlite:link.db', PETSTORE_WEBHOOKS_ALLOW_PRIVATE: 'true' }
  const { origin, key, child } = await startService(t, { cwd, env, args: ['--workers', '2'] })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  async function post(path: string, body: unknown): Promise<number> {
    const response = await fetch(`${origin}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return response.status
  }

  rmSync(join(cwd, 'link.db'))
  symlinkSync('other.db', join(cwd, 'link.db'))
  assert.equal(await post('/webhooks', { url: receiver.url }), 201)
  assert.equal(await post('/pets', { name: 'Rex', categoryId: 1 }), 201)

  await until(() => receiver.ids().includes('1'))
  for (const worker of childrenOf(child)) process.kill(Number(worker), 'SIGKILL')
  await until(async () => {
    const response = await fetch(`${origin}/v1/pets?id=1`, { headers }).catch(() => undefined)
    return response !== undefined && (await response.text()) === '[{"id":1,"name":"Rex","categoryId":1}]'
  })
})
