import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { threadLog, watchThreads } from '../../src/cli/serving/log/thread-log.ts'
import { hungThreads, startThread, type ThreadEvent, threadEvents, ThreadHangs } from '../../src/threads/thread.ts'
import { until } from '../support/until.ts'
import type { run } from './silent-thread.ts'

function start(t: TestContext) {
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const events: ThreadEvent[] = []
  const hear = (event: unknown) => events.push(event as ThreadEvent)
  threadEvents.subscribe(hear)
  const module = new URL('./silent-thread.ts', import.meta.url)
  const thread = startThread<ReturnType<typeof run>>({ name: 'search', module, data: { gate } })
  t.after(async () => {
    threadEvents.unsubscribe(hear)
    await thread.end()
  })
  return { thread, events }
}

test('a call of a thread has its result, or its error with the properties', async (t) => {
  const { thread } = start(t)

  assert.equal(await thread.call('double', 2n ** 60n), 2n ** 61n)
  await assert.rejects(thread.call('fail', 'damaged'), { message: 'damaged', errcode: 11 })
  assert.equal(await thread.callWithin(60_000, 'double', 1n), 2n)
})

test('a thread without a result in time is given up and told: its other calls are rejected, and so are new ones', async (t) => {
  const { thread, events } = start(t)
  await thread.call('double', 1n)
  const other = thread.call('wait')
  other.catch(() => undefined)

  await assert.rejects(thread.callWithin(20, 'double', 1n), ThreadHangs)

  await assert.rejects(other, ThreadHangs)
  await assert.rejects(thread.call('double', 1n), ThreadHangs)
  assert.equal(thread.hasEnded, true)
  assert.deepEqual(events[0], {
    thread: 'search',
    event: 'hangs',
    reason: 'The search thread gave no result within 20 ms.',
  })
  // This one waits in JavaScript, which can be interrupted.
  await until(() => hungThreads().length === 0)
  assert.equal(events.at(-1)?.event, 'wentOn')
})

test('a thread that ends by itself is told, and its calls are rejected; one that is ended is not told', async (t) => {
  const { thread, events } = start(t)
  const silent = start(t)
  await silent.thread.call('double', 1n)
  await silent.thread.end()
  assert.deepEqual(events, [])

  // It may end before its result has been read.
  await thread.call('crash').catch(() => undefined)
  assert.equal((await thread.ended).message, 'a bug')
  await assert.rejects(thread.call('double', 1n), { message: 'a bug' })

  assert.deepEqual(events, [{ thread: 'search', event: 'failed', reason: 'a bug' }])
})

test('lost threads are counted and logged, each once', async () => {
  const written: ThreadEvent[] = []
  const metrics = watchThreads('info', (event) => void written.push(event))
  const lines: unknown[][] = []
  const log = { info: (...line: unknown[]) => lines.push(line), error: (...line: unknown[]) => lines.push(line) }
  const write = threadLog(log)

  for (const event of ['hangs', 'wentOn', 'failed'] as const) {
    threadEvents.publish({ thread: 'writer', event, reason: 'why' } satisfies ThreadEvent)
  }
  written.forEach(write)

  assert.deepEqual(lines, [
    [{ thread: 'writer', reason: 'why' }, 'a thread hangs and is replaced'],
    [{ thread: 'writer' }, 'a thread that hung has ended'],
    [{ thread: 'writer', reason: 'why' }, 'a thread has ended and is replaced'],
  ])
  assert.match(JSON.stringify(await metrics()), /petstore_threads_lost_total.*"thread=\\"writer\\"",2\]/)
})
