import type { FastifyReply, FastifyRequest } from 'fastify'
import { int64FromText } from '../../contract/int64.ts'
import type { Deprecation } from '../../contract/operation.ts'
import { baseAddress } from './base-address.ts'

/** Adds the deprecation headers to every response of an operation, errors too, so it runs before the other gates. */
export function announceDeprecation(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const deprecation = request.routeOptions.config?.operation?.deprecation
  if (deprecation !== undefined) {
    const { petId } = request.params as { petId?: string }
    reply.headers(deprecationHeaders(deprecation, baseAddress(request), int64FromText(petId ?? '')))
  }
  done()
}

/** The headers of a deprecated operation. An invalid id in the path is not echoed: the list would refuse it. */
export function deprecationHeaders(deprecation: Deprecation, base: string, id: bigint | undefined) {
  const docs = `${base.slice(0, -'/v1'.length)}/docs`
  const successor = `${base}/pets${id === undefined ? '' : `?id=${id}`}`
  return {
    ...asText(deprecation),
    link: `<${docs}>; rel="deprecation"; type="text/html", <${successor}>; rel="successor-version"`,
  }
}

// Cached: formatting a date takes longer than finding the animal.
const texts = new WeakMap<Deprecation, { deprecation: string; sunset: string }>()

function asText(deprecation: Deprecation): { deprecation: string; sunset: string } {
  let text = texts.get(deprecation)
  if (text === undefined) {
    text = { deprecation: `@${deprecation.since.getTime() / 1000}`, sunset: deprecation.sunset.toUTCString() }
    texts.set(deprecation, text)
  }
  return text
}
