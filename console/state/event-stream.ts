import { service } from '../api/service.ts'
import { EventConnection, type StreamMessage } from './event-connection.ts'
import { type FeedState, isFeedLive, setFeedState, tell } from './feed.ts'

/**
 * Sends the events of the service to this tab until it is stopped. Tabs with the same key share one connection: the tab
 * with the lock is connected and forwards events. A browser has six connections for all tabs of an origin, and each
 * stream takes one.
 */
export function startEventStream(key: string): () => void {
  setFeedState('connecting')
  // Locks are missing if the page came over plain HTTP from another machine.
  const { locks } = navigator as { locks?: LockManager }
  // Contains only the checksum of the key.
  return locks === undefined ? streamWhileVisible() : shareStream(locks, `petstore-events-${key.slice(-6)}`)
}

function shareStream(locks: LockManager, name: string): () => void {
  const stopping = new AbortController()
  const channel = new BroadcastChannel(name)
  const client = service()
  let isLeader = false
  let state: FeedState = 'connecting'
  let position: string | undefined

  function publish(message: StreamMessage): void {
    channel.postMessage(message)
    if (message.kind === 'state') ({ state } = message)
    receive(message)
  }

  channel.addEventListener('message', ({ data }: MessageEvent<StreamMessage | 'hello'>) => {
    if (data === 'hello') {
      if (isLeader) channel.postMessage({ kind: 'state', state } satisfies StreamMessage)
      return
    }
    if (data.kind === 'event') ({ position } = data)
    receive(data)
  })
  channel.postMessage('hello')
  locks
    .request(name, { signal: stopping.signal }, async () => {
      isLeader = true
      await new EventConnection(client, publish, position).run(stopping.signal)
    })
    // Stopped before the lock was free.
    .catch(() => undefined)

  return () => {
    stopping.abort()
    channel.close()
  }
}

/** Each tab has its own connection, only while it is visible. */
function streamWhileVisible(): () => void {
  const stopping = new AbortController()
  const connection = new EventConnection(service(), receive)
  let hiding = new AbortController()
  function look(): void {
    hiding.abort()
    if (document.visibilityState === 'hidden') return
    hiding = new AbortController()
    void connection.run(AbortSignal.any([stopping.signal, hiding.signal]))
  }
  document.addEventListener('visibilitychange', look)
  look()
  return () => {
    stopping.abort()
    document.removeEventListener('visibilitychange', look)
  }
}

function receive(message: StreamMessage): void {
  if (message.kind === 'event') return tell(message.event)
  if (message.kind === 'missed') return tell('missed')
  const becomesLive = message.state === 'live' && !isFeedLive()
  setFeedState(message.state)
  if (becomesLive) tell('resumed')
}
