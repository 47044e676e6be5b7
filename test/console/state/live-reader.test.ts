import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { PageRequestError } from '../../../console/api/failure.ts'
import { LiveReader, type ReadState } from '../../../console/state/live-reader.ts'

/** A reader whose reads end when the test says so. Timers are mocked, and the page is visible. */
function startReader(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const page = { visibilityState: 'visible' }
  Object.assign(globalThis, { document: page })
  t.after(() => Reflect.deleteProperty(globalThis, 'document'))
  const reads: { resolve: (result: string) => void; reject: (error: Error) => void; signal: AbortSignal }[] = []
  const states: ReadState<string>[] = []
  const reader = new LiveReader<string>(
    (signal) => new Promise((resolve, reject) => reads.push({ resolve, reject, signal })),
    (state) => states.push(state),
  )
  t.after(() => reader.stop())
  /** Lets what has been resolved run on. */
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return { reader, reads, states, page, settle, shown: () => states.at(-1)?.result }
}

test('reads never overlap: what is asked for during a read is read once, after it', async (t) => {
  const { reader, reads, shown, settle } = startReader(t)
  void reader.reload()
  await settle()
  const later = Promise.all([reader.reload(), reader.reload(), reader.reload()])
  await settle()
  assert.equal(reads.length, 1)

  reads[0]?.resolve('old')
  await settle()
  assert.equal(reads.length, 2)
  reads[1]?.resolve('new')

  assert.deepEqual(await later, ['new', 'new', 'new'])
  assert.equal(shown(), 'new')
})

test('changes that come together cause one read', async (t) => {
  const { reader, reads, settle } = startReader(t)
  void reader.start()
  await settle()
  reads[0]?.resolve('first')
  await settle()

  for (let change = 0; change < 5; change++) reader.refresh()
  t.mock.timers.tick(60_000)
  await settle()

  assert.equal(reads.length, 2)
})

test('a failed read keeps the result and is repeated by itself', async (t) => {
  const { reader, reads, states, shown, settle } = startReader(t)
  void reader.start()
  await settle()
  reads[0]?.resolve('first')
  await settle()
  void reader.reload()
  await settle()

  reads[1]?.reject(new PageRequestError('unreachable', 'no response'))
  await settle()
  assert.equal(shown(), 'first')
  assert.ok(states.at(-1)?.error instanceof PageRequestError)
  t.mock.timers.tick(5_000)
  await settle()
  reads[2]?.resolve('second')
  await settle()

  assert.deepEqual(states.at(-1), { result: 'second', isLoading: false })
})

test('a hidden page reads nothing, and catches up when it is visible again', async (t) => {
  const { reader, reads, page, settle } = startReader(t)
  void reader.start()
  await settle()
  reads[0]?.resolve('first')
  await settle()

  page.visibilityState = 'hidden'
  reader.refresh()
  t.mock.timers.tick(60_000)
  await settle()
  assert.equal(reads.length, 1)
  page.visibilityState = 'visible'
  reader.onVisible()
  t.mock.timers.tick(60_000)
  await settle()

  assert.equal(reads.length, 2)
})

test('a stopped reader aborts its read and shows nothing more', async (t) => {
  const { reader, reads, states, settle } = startReader(t)
  void reader.start()
  await settle()
  const count = states.length

  reader.stop()
  reads[0]?.resolve('late')
  await settle()

  assert.equal(reads[0]?.signal.aborted, true)
  assert.equal(states.length, count)
})

test('a change is shown before it is read', async (t) => {
  const { reader, reads, shown, settle } = startReader(t)
  void reader.start()
  await settle()
  reads[0]?.resolve('Rex')
  await settle()

  reader.patch((name) => `${name} II`)

  assert.equal(shown(), 'Rex II')
})

test('a response that is older than a change does not take the change back', async (t) => {
  const { reader, reads, shown, settle } = startReader(t)
  const rename = (name: string) => name.replace('Rex', 'Rex II')
  void reader.reload()
  await settle()
  reads[0]?.resolve('Rex')
  await settle()

  void reader.reload()
  await settle()
  reader.patch(rename)
  reads[1]?.resolve('Rex')
  await settle()
  assert.equal(shown(), 'Rex II')

  void reader.reload()
  await settle()
  reads[2]?.resolve('Rex')
  await settle()
  assert.equal(shown(), 'Rex')
})

test('a change that the result does not show renders nothing', async (t) => {
  const { reader, reads, states, shown, settle } = startReader(t)
  void reader.reload()
  await settle()
  reads[0]?.resolve('shown')
  await settle()
  const before = states.length

  reader.patch((result) => result)
  assert.equal(states.length, before)
  reader.patch(() => 'changed')
  assert.equal(shown(), 'changed')
})
