import { service, serviceAddress } from '../api/service.ts'
import { EventConnection, type StreamMessage } from './event-connection.ts'
import { type FeedState, isFeedLive, setFeedState, publish } from './feed.ts'
import { openTabChannel } from './tab-channel.ts'

/**
 * Sends the events of the service to this tab until it is stopped. `keyId` says whose they are. Tabs with the same key
 * share one connection: a browser has six connections for all tabs of an origin, and each stream takes one. Only a
 * visible tab is connected, because some browsers suspend hidden tabs.
 */
export function startEventStream(keyId: string): () => void {
  setFeedState('connecting')
  // Locks are missing if the page came over plain HTTP from another machine.
  const { locks } = navigator as { locks?: LockManager }
  const name = `petstore-events ${serviceAddress().pathname} ${keyId}`
  const channel = locks === undefined ? undefined : openTabChannel(name)
  return locks === undefined || channel === undefined ? streamAlone() : shareStream(locks, channel, name)
}

/** The tab with the lock is connected and forwards events. */
function shareStream(locks: LockManager, channel: BroadcastChannel, name: string): () => void {
  const client = service()
  let isLeader = false
  let state: FeedState = 'connecting'
  let position: string | undefined

  function broadcast(message: StreamMessage): void {
    channel.postMessage(message)
    note(message)
  }
  function note(message: StreamMessage): void {
    if (message.kind === 'state') ({ state } = message)
    if (message.kind === 'events') ({ position } = message)
    receive(message)
  }
  async function lead(signal: AbortSignal): Promise<void> {
    isLeader = true
    await new EventConnection(client, broadcast, position).run(signal)
    isLeader = false
  }

  channel.addEventListener('message', ({ data }: MessageEvent<StreamMessage | 'hello'>) => {
    if (data !== 'hello') note(data)
    else if (isLeader) channel.postMessage({ kind: 'state', state } satisfies StreamMessage)
  })
  channel.postMessage('hello')
  const stop = whileVisible((signal) => {
    // Rejects if the tab is hidden or stopped before the lock is free, or if the browser blocks locks.
    locks.request(name, { signal }, () => lead(signal)).catch(() => (signal.aborted ? undefined : lead(signal)))
  })
  return () => {
    stop()
    channel.close()
  }
}

function streamAlone(): () => void {
  const connection = new EventConnection(service(), receive)
  return whileVisible((signal) => void connection.run(signal))
}

/** Calls `run` each time the tab becomes visible. The signal aborts when the tab is hidden. Returns a stop function. */
function whileVisible(run: (signal: AbortSignal) => void): () => void {
  let current = new AbortController()
  function onVisibility(): void {
    current.abort()
    current = new AbortController()
    if (document.visibilityState === 'visible') run(current.signal)
  }
  document.addEventListener('visibilitychange', onVisibility)
  onVisibility()
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    current.abort()
  }
}

function receive(message: StreamMessage): void {
  if (message.kind === 'events') return message.events.forEach(publish)
  if (message.kind === 'missed') return publish('missed')
  const becomesLive = message.state === 'live' && !isFeedLive()
  setFeedState(message.state)
  if (becomesLive) publish('resumed')
}
