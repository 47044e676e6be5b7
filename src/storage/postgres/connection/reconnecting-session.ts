import { unavailable } from '../../../inventory/errors.ts'
import { connect } from './connect.ts'
import type { Session, SessionOptions } from './database.ts'
import { ConnectionLost, spoilsConnection } from './errors.ts'
import type { Server } from './server.ts'

/** A connection that is opened on first use, and reopened after it was lost. */
export interface ReconnectingSession {
  readonly isConnected: boolean
  /** The current connection, if any. */
  readonly session: Session | undefined
  /** The number of pending uses. */
  readonly load: number
  connect(): Promise<Session>
  /**
   * Lets `work` use the connection for at most `timeoutMs`, including the wait for it. On a timeout the connection is
   * dropped, together with all other uses.
   */
  use<Result>(work: (session: Session) => Promise<Result>, timeoutMs?: number): Promise<Result>
  close(): Promise<void>
}

export interface ReconnectingSessionOptions extends SessionOptions {
  /** The default timeout of a use. */
  timeoutMs: number
  /** An existing connection. */
  session?: Session
}

export function openReconnectingSession(
  server: Server,
  { timeoutMs: defaultTimeoutMs, session: first, ...options }: ReconnectingSessionOptions,
): ReconnectingSession {
  let session = first
  let connecting: Promise<Session> | undefined
  let load = 0
  let closed = false

  async function reconnect(): Promise<Session> {
    try {
      session = await connect(server, options)
      return session
    } finally {
      connecting = undefined
    }
  }

  function current(): Session | undefined {
    return session?.isLost === false ? session : undefined
  }

  async function connected(): Promise<Session> {
    // A connection opened after the close would stay open for ever.
    if (closed) throw unavailable('The storage is closed.')
    return current() ?? (connecting ??= reconnect())
  }

  return {
    get isConnected() {
      return current() !== undefined
    },
    get session() {
      return current()
    },
    get load() {
      return load
    },
    connect: connected,
    async use(work, timeoutMs = defaultTimeoutMs) {
      if (closed) throw unavailable('The storage is closed.')
      let used = current()
      let giveUp: (reason: Error) => void = () => undefined
      const timer = setTimeout(() => {
        used?.drop('The database did not answer in time.')
        giveUp(new ConnectionLost('The database did not answer in time.'))
      }, timeoutMs)
      load++
      try {
        used ??= await new Promise<Session>((resolve, reject) => {
          giveUp = reject
          connected().then(resolve, reject)
        })
        return await work(used)
      } catch (error) {
        if (spoilsConnection(error)) used?.drop('The connection is unusable.')
        throw error
      } finally {
        load--
        clearTimeout(timer)
      }
    },
    async close() {
      closed = true
      await connecting?.catch(() => undefined)
      await session?.end()
    },
  }
}
