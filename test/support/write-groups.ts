import type { Committer } from '../../src/storage/sqlite/writes/writer.ts'
import type { WriteRequest, WriteResult } from '../../src/storage/sqlite/writes/writes.ts'

/** A committer that waits to be told how each group ends. */
export function heldCommitter() {
  const groups: { size: number; succeed(): void; fail(error: Error): void }[] = []
  const committer: Committer = {
    commit(group: readonly WriteRequest[]) {
      return new Promise<WriteResult[]>((resolve, reject) => {
        groups.push({
          size: group.length,
          succeed: () => resolve(group.map(() => ({ value: true }))),
          fail: reject,
        })
      })
    },
    async close() {},
  }
  return { committer, groups }
}

export const revoke = ['revokeKey', { id: 'key', at: 0 }] as const
export const nextLoopTick = () => new Promise((resolve) => setImmediate(resolve))

/** The group with this number, once it has been sent. */
export async function sent(groups: ReturnType<typeof heldCommitter>['groups'], number: number) {
  while (groups.length <= number) await nextLoopTick()
  return groups[number] as (typeof groups)[number]
}
