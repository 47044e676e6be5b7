import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allChecks } from '../../src/verify/checks/all.ts'
import { send } from '../../src/verify/http/send.ts'
import { share, startApp } from '../support/app.ts'
import { idsOf, judge } from './judge.ts'
import { type Passage, type ServiceMutation, serviceMutations } from './recommended-mutations.ts'

const recommended = allChecks.filter(({ level }) => level === 'recommended')

/** With enough animals, so that a run adds only a few. */
const sharedApp = share(async (t) => {
  const app = await startApp(t)
  await Promise.all(Array.from({ length: 25 }, () => app.create({ name: 'Rex', categoryId: 1, status: 'sold' })))
  return app
})

for (const { name, change, fails } of serviceMutations) {
  test(`exactly the recommended checks of the table fail: ${name}`, async () => {
    const { origin, key } = await sharedApp()
    const transport = changeResponses(change)

    const report = await judge(new URL(`${origin}/v1`), key, { level: 'recommended', checks: recommended, transport })

    assert.deepEqual(idsOf(report, 'failed'), fails)
  })
}

test('every recommended check is failed by a mutation', () => {
  const failing = new Set(serviceMutations.flatMap(({ fails }) => fails))

  assert.deepEqual(
    recommended.map(({ id }) => id).filter((id) => !failing.has(id)),
    [],
  )
})

/** Sends requests to the service and changes its responses. */
function changeResponses(change: ServiceMutation['change']): typeof send {
  return async (request, limits) => {
    const { status, headers, body } = await send(request, limits)
    const { method, url, body: sent = '' } = request
    const passage: Passage = {
      method,
      path: `${url.pathname}${url.search}`.replace('/v1', ''),
      authorization: request.headers.find(([name]) => name === 'Authorization')?.[1] ?? '',
      sent,
      status,
      headers: new Map(headers),
      body: body.toString(),
    }
    change(passage)
    return { status: passage.status, headers: [...passage.headers], body: Buffer.from(passage.body) }
  }
}
