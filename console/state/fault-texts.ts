import type { ApiDocument } from '../api/page-requests.ts'

/** What each fault does, by the name that the service has for it. A status is an error of the service. */
const texts: Record<string, string> = {
  '502': 'The HTML page of a proxy instead of a response. Nothing is done.',
  '504': 'The HTML page of a proxy instead of a response. Nothing is done.',
  delay: 'The request waits, then it is carried out.',
  'delay-response': 'The request is carried out, then the response waits.',
  close: 'The connection ends without a response. Nothing is done.',
  reset: 'The connection is reset in the middle of the response.',
  'committed-then-cut': 'The request is carried out, and the connection ends without a response.',
  drip: 'The response comes in ten pieces, slowly.',
  'not-json': 'The body of the response is not JSON.',
  'wrong-result': 'The body of the response is JSON, but not what was asked for.',
  never: 'No response comes. The connection ends after 10 minutes.',
  'repeat-event': 'A stream sends every event twice.',
  'end-stream': 'A stream ends after its first event, or after the given seconds.',
  'stall-stream': 'A stream sends nothing after its first event.',
}

export function faultText(name: string): string {
  return texts[name] ?? `An error with the status ${name}. Nothing is done.`
}

/** The names of all faults, and the operations that may have one: those of the sandbox itself have none. */
export function faultChoices({ paths, components }: ApiDocument): { faults: string[]; operations: string[] } {
  const operations = Object.entries(paths)
    .filter(([path]) => !path.startsWith('/sandbox'))
    .flatMap(([, methods]) => Object.values(methods).map(({ operationId }) => operationId))
  const names = components.schemas.FaultRule?.properties.fault.enum ?? []
  return { faults: names.filter((name) => typeof name === 'string'), operations: operations.toSorted() }
}
