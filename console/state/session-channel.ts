import { serviceAddress } from '../api/service.ts'

/** What the tabs of this page tell each other about the session. It stays in memory: nothing is stored. */
export type SessionMessage =
  /** A tab without a key asks for one. */
  | { kind: 'ask' }
  /** A tab is signed in with this key. */
  | { kind: 'in'; key: string }
  /** The session with this key has ended, in all tabs. */
  | { kind: 'out'; key: string; reason: 'left' | 'refused' }

// A proxy may serve several shops below paths of one origin.
const channel = new BroadcastChannel(`petstore-session ${serviceAddress.pathname}`)

export function tellTabs(message: SessionMessage): void {
  channel.postMessage(message)
}

/** Calls back with the messages of other tabs. */
export function hearTabs(hear: (message: SessionMessage) => void): void {
  channel.addEventListener('message', ({ data }: MessageEvent<SessionMessage>) => hear(data))
}
