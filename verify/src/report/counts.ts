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
  const { unreachable, incomplete, requests, durationMs } = report
  if (unreachable !== undefined) return `Nothing was judged. ${unreachable}`
  const [passed, failed, skipped] = (['passed', 'failed', 'skipped'] as const).map((outcome) =>
    countOf(report, outcome),
  )
  const took = `${requests} requests in ${(durationMs / 1000).toFixed(1)} s`
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
    ...(left.length === 0 ? [] : [`Still in the shop: ${left.join(', ')}.`]),
  ]
}
