import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { allChecks } from '../../src/verify/checks/all.ts'
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
  test(`exactly the recommended checks of the table fail: ${name}`, async (t) => {
    const { origin, key } = await sharedApp()
    const url = await changeResponses(t, origin, change)

    const report = await judge(url, key, { level: 'recommended', checks: recommended })

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

/** Passes requests to the service and changes its responses. */
async function changeResponses(t: TestContext, origin: string, change: ServiceMutation['change']): Promise<URL> {
  const server = createServer(async (request, response) => {
    let sent = ''
    for await (const chunk of request.setEncoding('utf8')) sent += chunk
    const { method = '', url = '', headers } = request
    const { authorization = '', 'content-type': type } = headers
    const answer = await fetch(origin + url, {
      method,
      headers: { ...(authorization !== '' && { authorization }), ...(type !== undefined && { 'content-type': type }) },
      ...(sent !== '' && { body: sent }),
    })
    const passage: Passage = {
      method,
      path: url.replace('/v1', ''),
      authorization,
      sent,
      status: answer.status,
      headers: new Map(
        [...answer.headers].filter(([name]) => !/^(?:content-length|connection|keep-alive)$/.test(name)),
      ),
      body: await answer.text(),
    }
    change(passage)
    response.writeHead(passage.status, Object.fromEntries(passage.headers)).end(passage.body)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
}
