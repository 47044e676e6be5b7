import type { Caller } from '../inventory/caller.ts'

/** The texts of a batch are larger than they may be. */
class BatchTooLarge extends Error {
  override readonly name = 'BatchTooLarge'
  readonly bytes: number

  constructor(bytes: number) {
    super('The batch must have fewer rows.')
    this.bytes = bytes
  }
}

export interface BatchLimits {
  /** Rows per batch. */
  limit: number
  /** Of their texts. One row may have more. */
  maxBytes: number
  /** Without one, only the rows are limited. */
  caller?: Caller | undefined
}

/** Reads batches of rows, and asks for fewer rows when their texts are too large: they are sized before they are read. */
export function readWithinBytes<Batch>(
  read: (after: bigint, limit: number, caller?: Caller) => Promise<Batch>,
  { limit: maxLimit, maxBytes, caller }: BatchLimits,
): (after: bigint) => Promise<Batch> {
  if (caller === undefined) return (after) => read(after, maxLimit)

  const isTooLarge = (bytes: number) => bytes > maxBytes
  const within: Caller = {
    id: caller.id,
    get signal() {
      return caller.signal
    },
    get waiting() {
      return caller.waiting ?? { leftMs: Infinity }
    },
    reserve: (bytes, isJson) =>
      isTooLarge(bytes) ? Promise.reject(new BatchTooLarge(bytes)) : caller.reserve(bytes, isJson),
    tryReserve: (bytes) => !isTooLarge(bytes) && caller.tryReserve(bytes),
  }

  return async (after) => {
    for (let limit = maxLimit; ; ) {
      try {
        return await read(after, limit, limit === 1 ? caller : within)
      } catch (error) {
        if (!(error instanceof BatchTooLarge)) throw error
        // Also if the first rows are the large ones, a few attempts are enough.
        limit = Math.max(1, Math.min(Math.floor(limit / 2), Math.floor((limit * maxBytes) / error.bytes)))
      }
    }
  }
}
