import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { installOnce } from '../../support/cache.ts'
import { startSandbox } from '../../support/sandbox.ts'
import { until } from '../../support/until.ts'
import { startReceiver, verify } from '../../support/webhook-receiver.ts'

/** What is used of `cloudevents`. */
interface Sdk {
  default: {
    CloudEvent: new (event: object, strict: boolean) => Event
    HTTP: { isEvent(message: object): boolean; toEvent(message: object): Event }
  }
}
interface Event {
  id: string
  type: string
  validate(): boolean
  toString(): string
}

const source = join(import.meta.dirname, '../../cloudevents')

test('the official SDK receives webhooks of both formats: one by its media type, the other by its body', async (t) => {
  const folder = installOnce(source)
  if (folder === undefined) return t.skip('NOT TESTED: the package of test/cloudevents cannot be fetched')
  const entry = join(folder, 'node_modules/cloudevents/dist/index.js')
  const { CloudEvent, HTTP } = ((await import(pathToFileURL(entry).href)) as Sdk).default
  const { send } = await startSandbox(t)
  const receiver = await startReceiver(t)
  const secrets: string[] = []
  for (const format of ['json', 'cloudevents']) {
    const made = await send('a', 'POST /webhooks', { url: `${receiver.url}/${format}`, format })
    secrets.push((made.body as { secret: string }).secret)
  }

  await send('a', 'POST /pets', { name: 'Żółw 🐢', categoryId: 1, status: 'available' })
  await send('a', 'POST /store/orders', { petId: 1, customer: 'Kim' })
  await until(() => receiver.received.length === 6)
  for (const id of [1, 2]) await send('a', `POST /webhooks/${id}/test`)

  const received = (path: string) => receiver.received.filter((each) => each.path === path)
  const [json, structured] = [received('/json'), received('/cloudevents')]
  for (const each of json) verify(each, secrets[0] ?? '')
  for (const each of structured) verify(each, secrets[1] ?? '')
  assert.ok(structured.every((message) => HTTP.isEvent(message)))
  assert.ok(!json.some((message) => HTTP.isEvent(message)))
  const recognised = structured.map((message) => HTTP.toEvent(message))
  const read = json.map(({ body }) => new CloudEvent(JSON.parse(body) as object, true))
  assert.deepEqual(
    recognised.map(({ type }) => type),
    ['petstore.pet.created', 'petstore.pet.updated', 'petstore.order.placed', 'petstore.webhook.test'],
  )
  for (const [index, event] of recognised.entries()) {
    assert.ok(event.validate())
    assert.deepEqual(JSON.parse(String(event)), JSON.parse(structured[index]?.body ?? ''))
  }
  // Each test has an id of its own.
  assert.deepEqual(read.slice(0, 3).map(String), recognised.slice(0, 3).map(String))
  assert.equal(new Set([...read, ...recognised].map(({ id }) => id)).size, 5)
})
