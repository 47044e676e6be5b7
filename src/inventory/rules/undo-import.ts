import { maxListedRefusals } from '../../contract/bulk.ts'
import type { IdempotencyKey } from '../idempotency-key.ts'
import type { Undo, UndoDone } from '../imports.ts'
import { isKept, isRunning } from '../stored-import.ts'
import type { Change } from './change.ts'
import { changed, type Decision, unchanged } from './decision.ts'
import type { Facts } from './facts.ts'
import { replayOf, storeResponse } from './idempotency.ts'
import { removePet } from './remove-pet.ts'

export interface UndoImport {
  /** The import. */
  id: bigint
  /** The pets of it that were there a moment ago, no id twice. */
  petIds: readonly bigint[]
  /** As a multiple of the change of a pet with a short name. */
  cost: number
  /** How many pets the import had when these were read. */
  added: bigint
  /** The id after which these were read. */
  after: bigint
  /** The id after which the next call goes on. Absent: these were the last. */
  next?: bigint
  idempotencyKey?: IdempotencyKey | undefined
  at: number
  author?: string | undefined
}

/** Removes pets of an import that are still as they were added. From the first call on nothing is added to it. */
export function undoImport(facts: Facts, command: UndoImport): Decision<Undo> {
  const earlier = replayOf(facts, command, (body) => ({ outcome: 'replayed' as const, done: decode(body) }))
  if (earlier !== undefined) return unchanged(earlier)

  const { id, petIds, at, author } = command
  const stored = facts.find('imports', id)
  if (stored === undefined) return unchanged({ outcome: 'missing' })
  if (!isKept(stored, facts.oldestEventId())) return unchanged({ outcome: 'expired' })
  if (isRunning(stored, at)) return unchanged({ outcome: 'running' })

  // Pets that were added meanwhile have higher ids.
  const isWhole = stored.added === command.added
  const next = command.next ?? (isWhole ? undefined : (petIds.at(-1) ?? command.after))
  const done: UndoDone = { removed: 0, kept: 0, keeps: [], ...(next !== undefined && { next }) }
  const changes: Change[] = []
  for (const petId of petIds) {
    const isOrdered = facts.hasOpenOrder(petId)
    if (isOrdered || facts.isChanged(petId)) {
      if (facts.find('pets', petId) === undefined) continue
      done.kept++
      if (done.keeps.length < maxListedRefusals)
        done.keeps.push({ id: petId, reason: isOrdered ? 'ordered' : 'changed' })
      continue
    }
    const { changes: removal } = removePet(facts, { id: petId, at, author })
    done.removed += removal.length
    changes.push(...removal)
  }
  const time = new Date(at).toISOString()
  const item = { undoStartedAt: time, ...stored, ...(next === undefined && { undoneAt: stored.undoneAt ?? time }) }
  return changed({ outcome: 'done', done }, [
    ...changes,
    { type: 'resource.put', table: 'imports', item },
    ...storeResponse(command, () => encode(done)),
  ])
}

/** As it is stored with the idempotency key. */
function encode({ keeps, next, ...counts }: UndoDone): string {
  const listed = keeps.map(({ id, reason }) => ({ id: String(id), reason }))
  return JSON.stringify({ ...counts, keeps: listed, ...(next !== undefined && { next: String(next) }) })
}

function decode(body: string): UndoDone {
  const { keeps, next, ...counts } = JSON.parse(body) as Record<'removed' | 'kept', number> & {
    keeps: { id: string; reason: UndoDone['keeps'][number]['reason'] }[]
    next?: string
  }
  return {
    ...counts,
    keeps: keeps.map(({ id, reason }) => ({ id: BigInt(id), reason })),
    ...(next !== undefined && { next: BigInt(next) }),
  }
}
