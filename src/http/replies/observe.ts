import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../contract/error.ts'
import { pathOf } from '../request/address.ts'

/** Why a stream of events ended. `left`: by its client, or with its connection. */
export type StreamEnd = 'left' | 'key' | 'missed' | 'slow' | 'stopping' | 'unavailable'

/** What the edge tells about itself. Whoever listens decides what becomes a log line, a metric or both. */
export interface Observer {
  answered(observation: Answered): void
  /** A request that could not even be read. */
  refused(observation: { requestId: string; status: number; code: ErrorCode }): void
  streamOpened(): void
  streamEnded(reason: StreamEnd): void
  /** Something that is our fault. */
  failed(error: Error, requestId?: string): void
}

export interface Answered {
  requestId: string
  keyId: string | undefined
  method: string
  /** The pattern, such as /v1/pets/:petId; undefined where there is no such path. */
  route: string | undefined
  path: string
  status: number
  milliseconds: number
  /** The answer was a stream of events: `milliseconds` is how long it was open. */
  isStream: boolean
}

/** One observation per request, when the answer has left. */
export function observeAnswers(observer: Observer) {
  return function observe(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    observer.answered({
      requestId: request.id,
      keyId: request.apiKey?.id,
      method: request.method,
      route: request.is404 ? undefined : request.routeOptions.url,
      path: loggablePath(request.originalUrl),
      status: reply.statusCode,
      milliseconds: reply.elapsedTime,
      isStream: reply.isStream,
    })
    done()
  }
}

/** The path without its query, which may hold anything, even a key sent the wrong way; a path may too. */
export function loggablePath(url: string): string {
  const path = pathOf(url).replace(/^https?:\/\/[^/]*/i, '')
  return path.includes('pet_') ? path.replace(/(pet_(?:live|test)_)\w+/g, '$1…') : path
}
