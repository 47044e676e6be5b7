import { problemOf, send } from './api.js'
import { parseJson } from './json.js'
import { frameReader } from './server-sent-events.js'
import { createStore, useStore } from './store.js'

/** The service sends a heartbeat every 10 seconds. */
const maxSilenceMs = 30_000
const maxPauseMs = 30_000

/** `off`, `connecting`, `live`, or `waiting` until the next try. */
const state = createStore('off')
const followers = new Set()
let running

export function useFeedState() {
  return useStore(state)
}

/** Calls back with each event, or with undefined when events may have been missed. Returns how to stop. */
export function followFeed(follower) {
  followers.add(follower)
  return () => followers.delete(follower)
}

/** Something was changed from this page. While events come, they will say so; otherwise this does. */
export function tellOwnChange() {
  if (state.get() !== 'live') tell(undefined)
}

/** Follows the service's events, and comes back where it was when the connection is lost, until `stopFeed`. */
export function startFeed() {
  stopFeed()
  running = new AbortController()
  void run(running.signal)
}

export function stopFeed() {
  running?.abort()
  running = undefined
  state.set('off')
}

async function run(stopped) {
  let lastId
  let failures = 0
  while (!stopped.aborted) {
    const connection = new AbortController()
    const stop = () => connection.abort()
    stopped.addEventListener('abort', stop)
    try {
      if (failures === 0) state.set('connecting')
      await connect(connection, lastId, {
        opened() {
          failures = 0
          state.set('live')
          if (lastId === undefined) tell(undefined)
        },
        received(id, event) {
          lastId = id
          tell(event)
        },
        missed() {
          lastId = undefined
        },
      })
    } catch {
      // Whatever it was, the way on is the same: to come back after a while.
    }
    stopped.removeEventListener('abort', stop)
    if (stopped.aborted) return
    state.set('waiting')
    await pause(Math.min(maxPauseMs, 1000 * 2 ** failures++) * (0.75 + Math.random() / 2), stopped)
  }
}

async function connect(connection, lastId, { opened, received, missed }) {
  const resume = lastId === undefined ? {} : { 'Last-Event-ID': lastId }
  const response = await send('/v1/events', {
    headers: { Accept: 'text/event-stream', ...resume },
    signal: connection.signal,
  })
  if (!response.ok) {
    if (response.status === 410) missed()
    throw problemOf(response, await response.text())
  }
  opened()
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  const readFrames = frameReader()
  for (;;) {
    const watch = setTimeout(() => connection.abort(), maxSilenceMs)
    const { value, done } = await reader.read().finally(() => clearTimeout(watch))
    if (done) return
    for (const { id, data } of readFrames(value)) {
      if (id !== undefined && data !== undefined) received(id, parseJson(data))
    }
  }
}

function tell(event) {
  for (const follower of followers) follower(event)
}

/** Ends early when the machine is online again. */
function pause(milliseconds, stopped) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    for (const [target, name] of [
      [globalThis, 'online'],
      [stopped, 'abort'],
    ]) {
      target.addEventListener(
        name,
        () => {
          clearTimeout(timer)
          resolve()
        },
        { once: true },
      )
    }
  })
}
