import assert from 'node:assert/strict'
import type { Finding } from '../../src/cli/doctor/finding.ts'
import type { Inspection } from '../../src/storage/shared/inspection.ts'

export const now = Date.UTC(2027, 0, 31, 12)
export const hour = 3_600_000
export const host = '127.0.0.1'
export const onLinux = { skip: process.platform === 'linux' ? false : 'other systems number their disks differently' }
export const healthy: Inspection = {
  schema: 105,
  latestSchema: 105,
  maxAhead: 0,
  environment: 'production',
  hasUnfinishedCopy: false,
  isInUse: true,
  latestEventAt: now - 1_000,
  deliveriesUnattendedSince: undefined,
  unsafe: [],
  doubtful: [],
}

export function describe(found: readonly Finding[]): string[] {
  return found.map(({ result, sentence }) => `${result}: ${sentence}`)
}

/** Asserts that a check has one finding, with this result. */
export function assertFinding(found: readonly Finding[], result: Finding['result'], sentence: RegExp): void {
  assert.deepEqual([found.length, found[0]?.result], [1, result], describe(found).join('\n'))
  assert.match(found[0]?.sentence ?? '', sentence)
}
