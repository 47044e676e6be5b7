import type { Pet } from '../../../contract/pet.ts'
import type { Caller } from '../../../inventory/caller.ts'
import { endOf } from '../../../inventory/page.ts'
import type { PetPage, PetQuery, Pets } from '../../../inventory/pets.ts'
import { isKept, type StoredImportPart } from '../../../inventory/stored-import.ts'
import type { Storage } from '../../../inventory/storage.ts'
import type { Engine } from './engine.ts'

/** Reads of pets for one page. Each passes at least one part, or finds pets. */
const maxReads = 50
const partsPerRead = 100
/** Characters of names in one page, beyond those of its last read. */
const maxCharacters = 64 * 1024

interface Reads {
  list: Pets['list']
  resources: Pick<Engine, 'list' | 'oldestEventId'>
}

/** Adds the filter `importId` to a list of one state: the parts of an import say which ids it has. */
export function withImported({ list, resources }: Reads): Pets['list'] {
  return (query, limit, after, caller) =>
    isOfImport(query)
      ? listImported({ list, resources }, query, limit, after, caller)
      : list(query, limit, after, caller)
}

function isOfImport(query: PetQuery): query is PetQuery & { importId: string } {
  return query.importId !== undefined
}

/** Lets a list with this filter, which takes several reads, see one state. */
export function listAtOneState(list: Pets['list'], atOneState: Storage['atOneState']): Pets['list'] {
  return (query, limit, after, caller) =>
    query.importId === undefined
      ? list(query, limit, after, caller)
      : atOneState((state, inState) => state.pets.list(query, limit, after, inState), caller)
}

/** Goes through pets and parts together, by id: where the next pet is beyond a part, the parts before it are skipped. */
async function listImported(
  { list, resources }: Reads,
  { importId: name, asJson: _asJson, withTotal: _withTotal, ...query }: PetQuery & { importId: string },
  limit: number,
  after: bigint,
  caller: Caller | undefined,
): Promise<PetPage> {
  const [found] = (await resources.list('imports', 1, { after: 0n, filter: { name } })).items
  if (found === undefined || !isKept(found, await resources.oldestEventId())) return { items: [], more: false }
  const partAfter = partReader(resources, found.id)
  const items: Pet[] = []
  let from = after
  let characters = 0
  for (let reads = 0; reads < maxReads; reads++) {
    const part = await partAfter(from)
    if (part === undefined) return { items, more: false }
    const start = from < part.firstPetId ? part.firstPetId - 1n : from
    // One more than the limit shows whether there is a next page.
    const page = await list(query, limit + 1 - items.length, start, caller)
    let gapEnd: bigint | undefined
    for (const pet of page.items) {
      const own = await partAfter(pet.id - 1n)
      if (own === undefined) return { items, more: false }
      if (pet.id < own.firstPetId) {
        gapEnd = own.firstPetId - 1n
        break
      }
      if (items.length === limit) return { items, more: true }
      items.push(pet)
      characters += pet.name.length
    }
    const end = gapEnd ?? endOf(page)
    if (end === undefined) return { items, more: false }
    from = end
    // A search that ended early has cost enough.
    const isShort = gapEnd === undefined && page.next !== undefined
    if (isShort || characters > maxCharacters) return { items, more: true, next: from }
  }
  return { items, more: true, next: from }
}

/** The part that has this id or, else, the first one after it. Ids that are asked for ascend. */
function partReader({ list }: Reads['resources'], importId: bigint) {
  let parts: StoredImportPart[] = []
  let next: bigint | undefined
  let isEnd = false

  return async (after: bigint): Promise<StoredImportPart | undefined> => {
    for (;;) {
      while (parts[0] !== undefined && parts[0].id <= after) parts.shift()
      if (parts[0] !== undefined || isEnd) return parts[0]
      const page = await list('import_parts', partsPerRead, {
        after: next === undefined || next < after ? after : next,
        filter: { importId },
      })
      parts = page.items
      next = endOf(page)
      isEnd = next === undefined
    }
  }
}
