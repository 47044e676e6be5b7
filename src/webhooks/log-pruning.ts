/** A webhook may have so many tries in the log above the limit. */
const pruneAfterTries = 100
const webhooksPerPrune = 50

/** Counts tries, so that only the log of a webhook that has grown is pruned. */
export interface LogPruning {
  count(webhookId: bigint): void
  /** Prunes the log of those with many new tries, some at a time. `present`: those that there are. */
  prune(present: ReadonlySet<bigint>): Promise<void>
}

export function logPruning(forget: (webhookIds: bigint[]) => Promise<void>): LogPruning {
  const tries = new Map<bigint, number>()
  return {
    count(webhookId) {
      tries.set(webhookId, (tries.get(webhookId) ?? 0) + 1)
    },
    async prune(present) {
      const many = [...tries].filter(([, count]) => count >= pruneAfterTries).map(([id]) => id)
      const ids = many.slice(0, webhooksPerPrune)
      if (ids.length > 0) await forget(ids)
      for (const id of ids) tries.delete(id)
      if (many.length > ids.length) return
      // The others that are gone have left less than that.
      for (const id of tries.keys()) if (!present.has(id)) tries.delete(id)
    },
  }
}
