import type { PetStore } from '../../../client/src/index.ts'
import { randomId } from '../../../client/src/random-id.ts'
import { chunksOf, encodeChunk, type ImportPlan } from './chunks.ts'
import { collectRejected, type RejectedRows } from './rejected-rows.ts'
import type { ImportRow } from './rows.ts'

export interface ImportProgress {
  /** The number of rows that were added or rejected. */
  done: number
  added: number
  rejected: number
}

export interface Import {
  /** Of all its requests, to undo them together. */
  importId: string
  rejects: RejectedRows
  /**
   * Adds the rows, until all are done or `stop` is called. After an error, a second run goes on where the first one
   * ended, and adds nothing twice.
   */
  run(onProgress: (progress: ImportProgress) => void, signal: AbortSignal): Promise<void>
  /** Ends the run after the request that is under way, whose outcome is awaited. */
  stop(): void
  /** Adds the rows that are not done to the rejected ones. */
  rejectRest(): Promise<void>
}

/** For one request. */
const timeoutMs = 60_000

/** An import of one file. It has idempotency keys of its own: importing a file twice adds its animals twice. */
export function prepareImport(pets: Pick<PetStore['pets'], 'import'>, plan: ImportPlan): Import {
  const { format } = plan.file
  const key = randomId()
  const importId = randomId()
  const chunks = chunksOf(plan)
  const rejects = collectRejected(plan.file)
  let chunk: ImportRow[] | undefined
  /** Whether the chunk was sent: without a response it may have been added, so a stop has to wait for one. */
  let isSent = false
  let number = 0
  let done = 0
  const stopping = new AbortController()
  let unreadable: { error: unknown } | undefined

  /** A file that could not be read is not at its end. */
  async function next(): Promise<ImportRow[] | undefined> {
    if (unreadable !== undefined) throw unreadable.error
    try {
      return (await chunks.next()).value ?? undefined
    } catch (error) {
      unreadable = { error }
      throw error
    }
  }

  /**
   * All or nothing, first with all rows, then without those that were rejected: a response lists only 100 of them, and
   * the list for the user is complete.
   */
  async function add(rows: readonly ImportRow[], signal: AbortSignal): Promise<Map<ImportRow, string>> {
    const refused = new Map<ImportRow, string>()
    let left = rows.filter((row) => row.fault === undefined)
    for (let round = 0; left.length > 0; round++) {
      const { text, rowAt } = encodeChunk(left, plan)
      const result = await pets.import(text, {
        format,
        importId,
        mode: 'all-or-nothing',
        createCategories: plan.createCategories,
        idempotencyKey: `${key}-${number}-${round}`,
        timeoutMs,
        signal,
      })
      if (result.rejected === 0) break
      for (const { line, message } of result.rejects) refused.set(rowAt.get(line) as ImportRow, message)
      left = left.filter((row) => !refused.has(row))
    }
    return refused
  }

  return {
    importId,
    rejects,
    stop: () => stopping.abort(),
    async run(onProgress, signal) {
      for (chunk ??= await next(); chunk !== undefined && (isSent || !stopping.signal.aborted); number++) {
        isSent = true
        const refused = await add(chunk, signal)
        for (const row of chunk) {
          const message = row.fault ?? refused.get(row)
          if (message !== undefined) rejects.add(row, message)
        }
        done += chunk.length
        chunk = undefined
        isSent = false
        onProgress({ done, added: done - rejects.count(), rejected: rejects.count() })
        chunk = await next()
      }
    },
    async rejectRest() {
      for (; chunk !== undefined; chunk = await next())
        for (const row of chunk) rejects.add(row, row.fault ?? 'Not imported: the import was stopped.')
    },
  }
}
