import { readFileSync } from 'node:fs'
import type { Cost, Row } from './in-turn.ts'

/** What a request of each row costs, as a multiple of bare node:http with the same headers. */
export type Recorded = Record<Row, Cost>

/** By architecture. Changed only together with a reason, in the message of the commit. */
const file = new URL('recorded.json', import.meta.url)

/** A cost above this multiple of the recorded one is a regression. */
export const tolerance = 1.12

/** Undefined for an architecture that nobody has measured. */
export function recordedFor(architecture: string): Recorded | undefined {
  return (JSON.parse(readFileSync(file, 'utf8')) as Record<string, Recorded>)[architecture]
}

/** The costs of ours, as multiples of bare node:http with our headers. */
export function ratios(costs: ReadonlyMap<string, Cost>): Cost {
  const [ours, bare] = [costs.get('ours'), costs.get('bare-headers')] as [Cost, Cost]
  return { cpu: ours.cpu / bare.cpu, bytes: ours.bytes / bare.bytes }
}
