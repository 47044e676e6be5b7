import type { ErrorCode } from '../../contract/error.ts'
import type { Exchange, Reply } from '../exchange.ts'
import { withoutSecrets } from '../request/secrets.ts'
import { pathOf } from '../request/target.ts'

/** Why an event stream ended. `left`: by its client or with its connection; `reset`: its shop was replaced. */
export type StreamEnd = 'left' | 'key' | 'missed' | 'reset' | 'slow' | 'stopping' | 'unavailable'

/** The events of the HTTP edge. The observer decides what becomes a log line or a metric. */
export interface Observer {
  answered(observation: Answered): void
  /** A request that could not be parsed. */
  refused(observation: { requestId: string; status: number; code: ErrorCode }): void
  streamOpened(): void
  streamEnded(reason: StreamEnd): void
  /** The service, or something that it needs, is not available: why, as a sentence for the operator. */
  unavailable(reason: string, requestId: string): void
  /** An unexpected error. */
  failed(error: Error, requestId?: string): void
}

export interface Answered {
  requestId: string
  keyId: string | undefined
  method: string
  /** The pattern, such as /v1/pets/:petId; undefined for an unknown path. */
  route: string | undefined
  path: string
  status: number
  milliseconds: number
  /** The response was an event stream, open for `milliseconds`. */
  isStream: boolean
}

/** One observation per request, when its response was sent. */
export function observe(
  observer: Observer,
  { request, findings }: Exchange,
  reply: Reply,
  sentAt = performance.now(),
): void {
  observer.answered({
    requestId: request.id,
    keyId: findings.key?.id,
    method: request.method,
    route: findings.route?.path,
    path: loggablePath(request.url, request.headers.authorization),
    status: reply.status,
    milliseconds: sentAt - request.startedAt,
    isStream: reply.isStream === true,
  })
}

/** The observation of a stream, when it has ended. */
export function observeAtEnd(observer: Observer, exchange: Exchange, reply: Reply): void {
  exchange.response.outgoing.once('close', () => observe(observer, exchange, reply))
}

/** The path without its query, keys and secrets. A query may contain anything, even a key sent the wrong way. */
export function loggablePath(url: string, authorization?: string): string {
  const path = pathOf(url)
  const spelled = path.includes('%') ? path.replace(escapedWord, decodeURIComponent) : path
  const loggable = withoutSecrets(spelled, authorization)
  return loggable === spelled ? path : loggable
}

/** The escapes of the characters that a key has: letters, digits and the underscore. */
const escapedWord = /%(?:3[0-9]|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9a])/gi
