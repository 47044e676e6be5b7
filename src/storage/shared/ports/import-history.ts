import { maxBulk } from '../../../contract/bulk.ts'
import { isImportId } from '../../../contract/import-result.ts'
import type { Imports } from '../../../inventory/imports.ts'
import { endOf } from '../../../inventory/page.ts'
import type { Pets } from '../../../inventory/pets.ts'
import { isKept, type StoredImport } from '../../../inventory/stored-import.ts'
import { costOf, petsPerRead } from './change-many.ts'
import type { Engine, StateReads } from './engine.ts'

/** The parts of the port that are the same on every engine. */
export type ImportHistory = Pick<Imports, 'list' | 'find' | 'findByDigest' | 'undo'>

/** How many requests with the same digest are looked at. */
const maxRepeats = 20

/** `listPets` reads where writes are seen at once. */
export function importHistory(
  { list, oldestEventId, atOneState, write, clock }: Omit<Engine, 'find' | 'orderProposals'>,
  listPets: Pets['list'],
): ImportHistory {
  async function stored(name: string): Promise<StoredImport | undefined> {
    return isImportId(name) ? (await list('imports', 1, { after: 0n, filter: { name } })).items[0] : undefined
  }

  return {
    async find(name) {
      const found = await stored(name)
      return found && { ...found, isListed: isKept(found, await oldestEventId()) }
    },

    // The oldest imports are the first whose events are not kept any more.
    list: (limit, before, caller) =>
      atOneState(async (state) => {
        const oldest = await state.oldestEventId()
        const page = await state.list('imports', limit, { after: before, sort: '-id' })
        const items = page.items.filter((item) => isKept(item, oldest))
        return items.length === page.items.length ? page : { items, more: false }
      }, caller),

    findByDigest: (digest, except) => atOneState((state) => findByDigest(state, digest, except)),

    async undo({ name, after, idempotencyKey, author }, caller) {
      const found = await stored(name)
      if (found === undefined) return { outcome: 'missing' }
      const petIds: bigint[] = []
      let cost = 0
      let next: bigint | undefined = after
      collect: while (next !== undefined) {
        const page = await listPets({ importId: name }, petsPerRead, next, caller)
        for (const pet of page.items) {
          const total = cost + costOf(pet.name)
          if (total > maxBulk && petIds.length > 0) {
            next = petIds.at(-1)
            break collect
          }
          cost = total
          petIds.push(pet.id)
        }
        next = endOf(page)
        // A page that ended early has cost enough.
        if (page.next !== undefined) break
      }
      return write('undoImport', {
        id: found.id,
        added: found.added,
        after,
        petIds,
        cost,
        ...(next !== undefined && { next }),
        at: clock(),
        author,
        idempotencyKey,
      })
    },
  }
}

async function findByDigest(
  { list, oldestEventId }: StateReads,
  digest: string,
  except: string | undefined,
): Promise<StoredImport | undefined> {
  const oldest = await oldestEventId()
  const { items } = await list('import_requests', maxRepeats, { after: 0n, sort: '-id', filter: { digest } })
  for (const { importId } of items) {
    const [found] = (await list('imports', 1, { after: importId - 1n })).items
    const isWanted = found?.id === importId && found.name !== except && found.undoneAt === undefined
    if (isWanted && isKept(found, oldest)) return found
  }
  return undefined
}
