import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiKey } from '../inventory/keys.ts'
import { loggablePath, type Observer } from './observe.ts'
import { isRepeated } from './raw-headers.ts'
import { requestId } from './request-id.ts'
import type { VersionedCache } from './versioned-cache.ts'

/** An answer that is ready to be sent again: names and values of its headers in turn, and its body. */
interface ReadyAnswer {
  head: readonly string[]
  /** The bytes of the body, a character each: written in one piece with the headers, without looking at them again. */
  bytes: string
  route: string | undefined
}

export interface ExpressLane {
  /** Answers a request that was answered before, or returns false and has not touched it. */
  serve(request: IncomingMessage, response: ServerResponse): boolean
  /**
   * Keeps the answer to a request for those who ask the very same, until anything is committed. To be called in the same
   * turn in which the answer was found in the cache: an answer that was just read may be outdated already.
   */
  keep(request: FastifyRequest, reply: FastifyReply, body: string): void
}

export interface ExpressLaneOptions {
  cache: VersionedCache
  /** The active key behind an Authorization header if that can be told at once. */
  recognise: (header: string | undefined) => ApiKey | undefined
  observer: Observer
  isOpen: () => boolean
}

// With any of these the answer could be another one. Such a request takes the usual way.
const special = ['if-none-match', 'prefer', 'expect', 'origin', 'x-forwarded-host', 'x-forwarded-proto']
const bound = 8 * 1024 * 1024
/** In characters. Questions are kept too, and whoever asks can make them long. */
const longestQuestion = 256

/**
 * In front of the gates: a list that was asked before, with nothing committed since, by a key that is known and active,
 * is answered from memory. No rule is given up; what the gates would find out is known already. Lists are what
 * the service is asked for most.
 */
export function expressLane({ cache, recognise, observer, isOpen }: ExpressLaneOptions): ExpressLane {
  const answers = cache.section<ReadyAnswer>(bound, ({ bytes }) => bytes.length + 500)

  return {
    serve(request, response) {
      if (request.method !== 'GET' || !isOpen()) return false
      const started = performance.now()
      const { headers } = request
      const question = `${headers.host} ${request.url}`
      // Looked for before the version is asked for, which is the dearest part of all this.
      if (answers.get(question) === undefined || !isPlain(request)) return false
      cache.refresh()
      const answer = answers.get(question)
      if (answer === undefined) return false
      const key = recognise(headers.authorization)
      if (key === undefined) return false

      const id = requestId(request)
      response.writeHead(200, ['x-request-id', id, ...answer.head])
      response.end(answer.bytes, 'latin1')
      observer.answered({
        requestId: id,
        keyId: key.id,
        method: 'GET',
        route: answer.route,
        path: loggablePath(request.url as string),
        status: 200,
        milliseconds: performance.now() - started,
      })
      return true
    },

    keep({ raw, routeOptions }, reply, body) {
      if (raw.method !== 'GET' || reply.statusCode !== 200 || !isPlain(raw)) return
      const head = Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
        name === 'x-request-id' ? [] : [name, String(value)],
      )
      const bytes = Buffer.from(body).toString('latin1')
      const question = `${raw.headers.host} ${raw.url}`
      if (question.length > longestQuestion) return
      answers.reading()(question, { head, bytes, route: routeOptions.url })
    },
  }
}

/** Nothing that could change the answer, and neither of the headers that must not be there twice is. */
function isPlain({ headers, rawHeaders, httpVersion }: IncomingMessage): boolean {
  if (httpVersion !== '1.1' || headers.host === undefined) return false
  for (const name of special) if (headers[name] !== undefined) return false
  return !isRepeated(rawHeaders, 'host') && !isRepeated(rawHeaders, 'authorization')
}
