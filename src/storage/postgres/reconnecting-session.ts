import { unavailable } from '../../inventory/errors.ts'
import { connect } from './connect.ts'
import { type Session, type SessionOptions, spoilsConnection } from './database.ts'
import type { Server } from './server.ts'

/** A connection that is made when it is first needed, and anew when it was lost. */
export interface ReconnectingSession {
  readonly isConnected: boolean
  /** How many uses of it are under way. */
  readonly load: number
  connect(): Promise<Session>
  /** Lets `work` use the connection. Work that is not done in time loses it, together with all others who use it. */
  use<Result>(work: (session: Session) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

export interface ReconnectingSessionOptions extends SessionOptions {
  /** How long a use of the link may take, waiting for a connection included, in milliseconds. */
  patience: number
  /** A connection that is there already. */
  session?: Session
}

export function openReconnectingSession(
  server: Server,
  { patience, session: first, ...options }: ReconnectingSessionOptions,
): ReconnectingSession {
  let session = first
  let connecting: Promise<Session> | undefined
  let load = 0
  let closed = false

  async function connectAnew(): Promise<Session> {
    try {
      session = await connect(server, options)
      return session
    } finally {
      connecting = undefined
    }
  }

  async function connected(): Promise<Session> {
    if (session !== undefined && !session.isLost) return session
    connecting ??= connectAnew()
    return connecting
  }

  return {
    get isConnected() {
      return session !== undefined && !session.isLost
    },
    get load() {
      return load
    },
    connect: connected,
    async use(work) {
      if (closed) throw unavailable('The storage is closed.')
      let used: Session | undefined
      const giveUp = setTimeout(() => used?.drop('The database did not answer in time.'), patience)
      load++
      try {
        used = await connected()
        return await work(used)
      } catch (error) {
        if (spoilsConnection(error)) used?.drop('The connection is of no more use.')
        throw error
      } finally {
        load--
        clearTimeout(giveUp)
      }
    },
    async close() {
      closed = true
      await connecting?.catch(() => undefined)
      await session?.end()
    },
  }
}
