import type { FastifyReply, FastifyRequest } from 'fastify'
import { int64FromText } from '../../contract/int64.ts'
import type { Deprecation } from '../../contract/operation.ts'
import { baseAddress } from './base-address.ts'

/** Adds the deprecation headers to every response of an operation, errors too, so it runs before the other gates. */
export function announceDeprecation(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const deprecation = request.routeOptions.config?.operation?.deprecation
  if (deprecation !== undefined) {
    const base = baseAddress(request)
    const docs = `${base.slice(0, -'/v1'.length)}/docs`
    const { since, sunset } = asText(deprecation)
    reply.header('deprecation', since)
    reply.header('sunset', sunset)
    const successor = `${base}/pets${filterOf(request.params)}`
    reply.header('link', `<${docs}>; rel="deprecation"; type="text/html", <${successor}>; rel="successor-version"`)
  }
  done()
}

// The filter of the list for the id in the path. An invalid id is not echoed: the list would refuse it.
function filterOf(params: unknown): string {
  const { petId } = params as { petId?: string }
  return petId === undefined || int64FromText(petId) === undefined ? '' : `?id=${petId}`
}

// Cached: formatting a date takes longer than finding the animal.
const texts = new WeakMap<Deprecation, { since: string; sunset: string }>()

function asText(deprecation: Deprecation): { since: string; sunset: string } {
  let text = texts.get(deprecation)
  if (text === undefined) {
    text = { since: `@${deprecation.since.getTime() / 1000}`, sunset: deprecation.sunset.toUTCString() }
    texts.set(deprecation, text)
  }
  return text
}
