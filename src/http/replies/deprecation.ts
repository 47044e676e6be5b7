import { int64FromText } from '../../contract/int64.ts'
import type { Deprecation } from '../../contract/operation.ts'
import type { Exchange } from '../exchange.ts'

/** Adds the deprecation headers to every response of an operation, errors too, so it runs before the other gates. */
export function announceDeprecation({ request: { base }, findings, response: { headers } }: Exchange): void {
  const deprecation = findings.route?.operation?.deprecation
  if (deprecation === undefined) return
  // An invalid id in the path is not echoed: the list would refuse it.
  const { petId = '' } = findings.params
  const query = int64FromText(petId) === undefined ? '' : `?id=${petId}`
  const { since, sunset } = asText(deprecation)
  headers['deprecation'] = since
  headers['sunset'] = sunset
  headers['link'] = `${linkStart(base)}${query}>; rel="successor-version"`
}

// Most requests have the same base address.
let last = { base: '', start: '' }

/** The links up to the query of the successor. */
function linkStart(base: string): string {
  if (base === last.base) return last.start
  const docs = `${base.slice(0, -'/v1'.length)}/docs`
  const start = `<${docs}>; rel="deprecation"; type="text/html", <${base}/pets`
  last = { base, start }
  return start
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
