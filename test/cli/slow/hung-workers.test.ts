import assert from 'node:assert/strict'
import cluster from 'node:cluster'
import { type AddressInfo, createServer } from 'node:net'
import { mock, type TestContext, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { watchStall } from '../../../src/cli/serving/deliveries/stall-watch.ts'
import { openMetrics } from '../../../src/cli/serving/metrics/collector.ts'
import { watchHeartbeat } from '../../../src/cli/serving/processes/heartbeat.ts'
import { startWorkers } from '../../../src/cli/serving/processes/workers.ts'
import { readConfig } from '../../../src/cli/shared/config.ts'
import { openStorage } from '../../../src/storage/open.ts'
import { temporaryFolder } from '../../support/engines.ts'
import { childrenOf } from '../../support/children.ts'
import { databaseIn, main, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const linux = { skip: process.platform === 'linux' ? false : 'finds the workers in /proc' }

function heartbeatIn(t: TestContext, ask: () => Promise<unknown>, limits = { intervalMs: 1_000, maxMissed: 3 }) {
  mock.timers.enable({ apis: ['setInterval'] })
  t.after(() => mock.timers.reset())
  const hung = t.mock.fn()
  t.after(watchHeartbeat(ask, hung, limits))
  return {
    hung: () => hung.mock.callCount(),
    async pass(seconds: number) {
      for (let second = 0; second < seconds; second++) {
        mock.timers.tick(1_000)
        await wait(0)
      }
    },
  }
}

test('a process that answers every question late, but within the limit, is not hung', async (t) => {
  const questions: (() => void)[] = []
  const { hung, pass } = heartbeatIn(t, () => new Promise<void>((resolve) => questions.push(resolve)))

  for (let round = 0; round < 5; round++) {
    await pass(3)
    questions.pop()?.()
    await wait(0)
  }

  assert.equal(hung(), 0)
})

test('a process is hung once, when it has missed the limit in a row, and is asked one question at a time', async (t) => {
  let asked = 0
  const { hung, pass } = heartbeatIn(t, () => {
    asked++
    return new Promise(() => undefined)
  })

  await pass(3)
  const before = hung()
  await pass(20)

  assert.deepEqual([before, hung(), asked], [0, 1, 1])
})

/**
 * Two workers of the real program, with short limits. A worker that cannot answer while it starts counts as hung: only
 * a test of that limits it.
 */
async function startHere(t: TestContext, maxMissed = 1_000) {
  const folder = temporaryFolder(t)
  const settings = { PETSTORE_PORT: '0', PETSTORE_DATABASE_URL: databaseIn(folder), PETSTORE_LOG_LEVEL: 'silent' }
  Object.assign(process.env, settings)
  cluster.setupPrimary({ exec: main, args: ['serve'], cwd: folder, execArgv: [] })
  const config = readConfig(settings)
  const storage = await openStorage(config.databaseUrl, { environment: config.environment })
  const redeemCode = async () => undefined
  const options = {
    config,
    databaseUrl: config.databaseUrl,
    environment: settings,
    storage,
    metrics: openMetrics(),
    redeemCode,
    stallWatch: watchStall(storage.deliveries),
    certificate: undefined,
  }
  const limits = { heartbeat: { intervalMs: 300, maxMissed }, stopTimeoutMs: 2_000 }
  // Otherwise this process would never end.
  const closeStorage = () => storage.close()
  const processes = await startWorkers(2, options, limits).catch((error) =>
    closeStorage().then(() => Promise.reject(error)),
  )
  return { ...processes, close: closeStorage }
}

test('a worker that hangs is replaced, and one that hangs while the service stops is killed', linux, async (t) => {
  const { address, stop, close } = await startHere(t, 30)
  const workers = () => childrenOf(process)
  const answers = async () => (await fetch(`${address}/livez`, { headers: { connection: 'close' } })).ok
  const [first = ''] = workers()

  process.kill(Number(first), 'SIGSTOP')
  await until(() => workers().length === 2 && !workers().includes(first), 60_000)
  await until(answers)
  const [second = ''] = workers()
  process.kill(Number(second), 'SIGSTOP')
  await stop()
  await close()

  assert.deepEqual(workers(), [])
  await assert.rejects(fetch(`${address}/livez`))
})

test('a worker that cannot be replaced at once is replaced later', linux, async (t) => {
  const { stop, close } = await startHere(t)
  t.after(() => stop().then(close))
  const workers = () => childrenOf(process)
  const [first = ''] = workers()
  const fork = cluster.fork.bind(cluster)
  const failures = [() => fork({ PETSTORE_PORT: 'none' }), () => assert.fail('spawn ENOMEM')]
  const forking = t.mock.method(cluster, 'fork', (environment: object) => (failures.pop() ?? fork)(environment))

  process.kill(Number(first), 'SIGKILL')
  await until(() => forking.mock.callCount() >= 3, 60_000)
  await until(() => workers().length === 2)

  assert.deepEqual(failures, [])
})

test('workers take another free port if a program was faster on the first one', linux, async (t) => {
  const other = createServer()
  t.after(() => other.close())
  const fork = cluster.fork.bind(cluster)
  const forking = t.mock.method(cluster, 'fork', (environment: { PETSTORE_PORT: string }) => {
    if (!other.listening) other.listen(Number(environment.PETSTORE_PORT), '127.0.0.1')
    return fork(environment)
  })

  const { address, stop, close } = await startHere(t)
  t.after(() => stop().then(close))

  assert.equal((await fetch(`${address}/livez`)).status, 200)
  assert.notEqual(Number(new URL(address).port), (other.address() as AddressInfo).port)
  assert.equal(forking.mock.callCount(), 4)
})

test('a second signal ends a service with a hung worker, and no process keeps the port', linux, async (t) => {
  const { child, origin, stop } = await startService(t, { args: ['--workers', '2'] })
  const [first = ''] = childrenOf(child)
  process.kill(Number(first), 'SIGSTOP')

  child.kill('SIGTERM')
  // The other worker has ended: the signal was received long enough ago to be another key press.
  await until(() => childrenOf(child).length === 1)
  await wait(300)
  await stop()

  assert.equal(child.signalCode, 'SIGKILL')
  await until(() => !isRunning(first))
  await assert.rejects(fetch(`${origin}/livez`))
})

function isRunning(pid: string): boolean {
  try {
    return process.kill(Number(pid), 0)
  } catch {
    return false
  }
}
