import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { PageRequestError } from '../../../console/api/failure.ts'
import { noteReach } from '../../../console/api/reach.ts'
import { connect, disconnect } from '../../../console/api/service.ts'
import { setFeedState } from '../../../console/state/feed.ts'
import { type FinalAction, postpone, sendPending, startPending } from '../../../console/state/pending.ts'

/** A page of a signed-in user. Returns a function that leaves it. */
function openPage(t: TestContext): () => void {
  const page = new EventTarget()
  const globals = {
    document: { baseURI: 'http://127.0.0.1/', addEventListener: () => undefined },
    addEventListener: page.addEventListener.bind(page),
  }
  Object.assign(globalThis, globals)
  t.after(() => Object.keys(globals).forEach((name) => Reflect.deleteProperty(globalThis, name)))
  t.mock.timers.enable({ apis: ['setTimeout'] })
  connect('key', () => undefined)
  t.after(disconnect)
  startPending()
  return () => page.dispatchEvent(new Event('pagehide'))
}

function completion(send: FinalAction['send']): FinalAction {
  return { subject: 'order 7', text: '', done: '', undone: '', notDone: '', send, obsoleteBy: () => undefined }
}

test('an action that waits for its next attempt is sent again when the page is left', async (t) => {
  const leave = openPage(t)
  let sent = 0
  // The timer of the next attempt ends with the page.
  postpone(completion(() => (sent++, new Promise<never>(() => undefined))))

  sendPending()
  sendPending()
  assert.equal(sent, 1)
  leave()

  assert.equal(sent, 2)
})

// Node has no network for a page: its `navigator` does not say that it is online.
test('on a machine without a network, an action goes to a service that the feed reaches', async (t) => {
  openPage(t)
  let sent = 0
  // Another order than that of the test before, which is still being sent.
  const action = { ...completion(async () => void sent++), subject: 'order 8' }

  setFeedState('live')
  postpone(action)
  t.mock.timers.tick(8_000)
  assert.equal(sent, 1)
  await new Promise(setImmediate)

  setFeedState('waiting')
  postpone(action)
  t.mock.timers.tick(60_000)
  assert.equal(sent, 1)
  setFeedState('live')
  assert.equal(sent, 2)
})

test('without a network, an action waits after a request that failed, until one has a response', async (t) => {
  openPage(t)
  t.after(() => noteReach(true))
  let sent = 0
  const action = { ...completion(async () => void sent++), subject: 'order 9' }
  // The connection of the feed may outlive the network.
  setFeedState('live')
  noteReach(false)

  postpone(action)
  t.mock.timers.tick(60_000)
  assert.equal(sent, 0)
  noteReach(true)

  assert.equal(sent, 1)
})

test('an action whose request loses the network waits for it, and is sent again', async (t) => {
  openPage(t)
  t.after(() => noteReach(true))
  let sent = 0
  const send = async () => {
    if (++sent > 1) return
    noteReach(false)
    throw new PageRequestError('unreachable', 'no response')
  }
  setFeedState('live')

  postpone({ ...completion(send), subject: 'order 10' })
  t.mock.timers.tick(8_000)
  await new Promise(setImmediate)
  assert.equal(sent, 1)
  noteReach(true)
  await new Promise(setImmediate)

  assert.equal(sent, 2)
  noteReach(false)
  noteReach(true)
  assert.equal(sent, 2)
})
