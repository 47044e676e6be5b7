import { serviceAddress } from '../api/service.ts'

/** A channel between the tabs of this page. Undefined if the browser blocks it with all storage: each tab is then alone. */
export function openTabChannel(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name)
  } catch {
    return undefined
  }
}

/** The messages between the tabs of this page about the session. They stay in memory: nothing is stored. */
export type SessionMessage =
  /** A tab without a key asks for one. */
  | { kind: 'ask' }
  /** A tab is signed in with this key. */
  | { kind: 'in'; key: string }
  /** The session with this key has ended, in all tabs. */
  | { kind: 'out'; key: string; reason: 'left' | 'refused' }

let channel: BroadcastChannel | undefined

// A proxy may serve several shops below paths of one origin.
function openChannel(): BroadcastChannel | undefined {
  return (channel ??= openTabChannel(`petstore-session ${serviceAddress().pathname}`))
}

export function publishToTabs(message: SessionMessage): void {
  openChannel()?.postMessage(message)
}

/** Calls back with the messages of other tabs. */
export function onTabMessage(onMessage: (message: SessionMessage) => void): void {
  openChannel()?.addEventListener('message', ({ data }: MessageEvent<SessionMessage>) => onMessage(data))
}
