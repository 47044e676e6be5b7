import type { Report, Result } from '../run.ts'

export function countOf({ results }: Report, outcome: Result['outcome']): number {
  return results.filter((result) => result.outcome === outcome).length
}

/** A section of the contract, or a subject of our document. */
export function sectionOf({ level, section }: Result): string {
  return level === 'full' ? section : `section ${section}`
}

/** The result in a sentence. */
export function summaryOf(report: Report): string {
  const { unreachable, incomplete, requests, durationMs, cleanupMs } = report
  if (unreachable !== undefined) return `Nothing was judged. ${unreachable}`
  const [passed, failed, skipped] = (['passed', 'failed', 'skipped'] as const).map((outcome) =>
    countOf(report, outcome),
  )
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  const took = `${requests} requests; checks ${seconds(durationMs - cleanupMs)}, clean-up ${seconds(cleanupMs)}`
  const counts = `${(passed ?? 0) + (failed ?? 0)} judged, ${failed} failed, ${skipped} not judged (${took}).`
  return incomplete === undefined ? counts : `${counts} ${incomplete}`
}

/** What became of the animals that were added, in sentences. */
export function cleanupLines({ cleanup: { removed, left, orders, keys, notes } }: Report): string[] {
  return [
    ...(removed === 0 ? [] : [`Removed the ${removed} animals that were added.`]),
    ...notes,
    ...(orders.length === 0 ? [] : [`Orders cannot be removed. These are closed: ${orders.join(', ')}.`]),
    ...(keys.length === 0 ? [] : [`Keys cannot be removed. These are revoked: ${keys.join(', ')}.`]),
    ...(left.length === 0 ? [] : [`Still in the shop: ${inRanges(left).join(', ')}.`]),
  ]
}

/** Ids in their order; those that follow each other without a gap as one range. */
function inRanges(ids: readonly string[]): string[] {
  const ranges: { first: bigint; last: bigint }[] = []
  for (const id of ids.map(BigInt).toSorted((a, b) => (a < b ? -1 : 1))) {
    const range = ranges.at(-1)
    if (range !== undefined && id === range.last + 1n) range.last = id
    else ranges.push({ first: id, last: id })
  }
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first} to ${last}`))
}
