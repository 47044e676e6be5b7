import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { ask } from '../ledger/client.ts'
import { startCluster, until } from './cluster.ts'
import { record } from './figures.ts'
import { startInstance, startInstances } from './instances.ts'
import { findPrograms } from './packages.ts'

const programs = findPrograms()
const clients = 12

test('a rolling restart of the instances under load fails no request', {
  skip: typeof programs === 'string' && programs,
}, async (t) => {
  if (typeof programs === 'string') return
  const cluster = await startCluster(t, programs)
  const instances = await startInstances(t, cluster)
  const failures: string[] = []
  const stopped = new AbortController()
  t.after(() => stopped.abort())
  let answered = 0

  const client = async () => {
    while (!stopped.signal.aborted) {
      // Not one is tried again: neither has a key that would make it safe.
      const asked =
        Math.random() < 0.5
          ? ask(cluster.origin, 'POST /pets', { body: { name: 'Rex', categoryId: 1 } })
          : ask(cluster.origin, 'GET /pets?limit=20')
      const answer = await asked.then(
        async (response) => `${response.ok ? '' : response.status} ${await response.text()}`,
        (error: Error) => `${error.message} ${String(error.cause)}`,
      )
      if (answer.startsWith(' ')) answered++
      else failures.push(answer)
      await wait(20)
    }
  }
  const working = Array.from({ length: clients }, client)
  const codes: (number | null)[] = []
  for (let round = 0; round < 3; round++) {
    for (const [index, port] of cluster.servicePorts.entries()) {
      await wait(1_000)
      codes.push((await instances[index]?.stop()) ?? null)
      await wait(500)
      instances[index] = await startInstance(t, cluster, port)
      const isReady = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok
      await until(isReady, 10_000, () => 'The instance is not ready.')
      // Until the proxy has seen it too.
      await wait(1_500)
    }
  }
  stopped.abort()
  await Promise.all(working)

  assert.deepEqual(failures.slice(0, 20), [])
  assert.deepEqual(new Set(codes), new Set([0]))
  record(
    'rolling restart',
    `${codes.length} restarts under load, ${clients} clients without retries: ${answered} requests, all answered.\n`,
  )
})
