import { type Int64, isPetStoreError, type Pet, type ShopEvent, type WithEtag } from '../../client/src/index.ts'
import { toInt64 } from '../api/int64.ts'
import { service } from '../api/service.ts'
import { isPetChange, petIdOf } from './feed.ts'
import { type Live, useLive } from './live.ts'
import { expectingPet } from './own-changes.ts'
import { changeBetween, changePet, isSameId } from './pets.ts'

/** A change as people see it: an event, or the two of an order that changed its animal. */
export interface HistoryEntry {
  event: ShopEvent
  /** The animal before and after it, as far as the events tell. */
  before: Pet | undefined
  after: Pet | undefined
}

export interface History {
  /** The latest first. */
  entries: readonly HistoryEntry[]
  /** Whether there are older ones. */
  hasMore: boolean
}

/** The changes of events, which are the latest first. */
export function entriesOf(events: readonly ShopEvent[]): HistoryEntry[] {
  const entries: HistoryEntry[] = []
  const pets = new Map<string, Pet>()
  let ofOrder: Pick<HistoryEntry, 'before' | 'after'> | undefined
  for (const [index, event] of [...events.entries()].toReversed()) {
    const petId = petIdOf(event)
    const change = { before: pets.get(petId), after: petIn(event) }
    if (change.after !== undefined) pets.set(petId, change.after)
    const newer = events[index - 1]
    const isOfOrder = newer !== undefined && isSameChange(newer, event)
    if (!isOfOrder) entries.push({ event, ...(ofOrder ?? change) })
    ofOrder = isOfOrder ? change : undefined
  }
  return entries.toReversed()
}

/** Whether these are the two events of an order that changed its animal: its own comes right after the animal's. */
function isSameChange(order: ShopEvent, pet: ShopEvent): boolean {
  return (
    !isPetChange(order) &&
    pet.type === 'petstore.pet.updated' &&
    BigInt(order.sequence) === BigInt(pet.sequence) + 1n &&
    isSameId(order.data.petId, pet.data.id)
  )
}

/** The animal in an event, as it was after it. */
export function petIn(event: ShopEvent | undefined): Pet | undefined {
  return event !== undefined && isPetChange(event) ? event.data : undefined
}

/** The latest `count` changes of an animal. */
export function useHistory(id: Int64, count: number): Live<History> {
  async function read(signal: AbortSignal): Promise<History> {
    const events: ShopEvent[] = []
    // An order has two events, and the change before the last one shown tells what that changed.
    const enough = 2 * count + 1
    const list = service().events.list(
      { petId: toInt64(String(id)), sort: '-id', limit: Math.min(enough, 100) },
      { signal },
    )
    for await (const { items } of list.pages()) {
      events.push(...items)
      if (events.length >= enough) break
    }
    const entries = entriesOf(events)
    return { entries: entries.slice(0, count), hasMore: entries.length > count }
  }
  return useLive(`${id} ${count}`, read, { concerns: (change) => petIdOf(change) === String(id) })
}

/** Sets an animal back to `before`, unless somebody changed it since `seen`: then it resolves to false. */
export async function undoChange(seen: WithEtag<Pet>, before: Pet, client = service()): Promise<boolean> {
  try {
    await expectingPet(before, () => changePet(seen, changeBetween(seen, before), client))
    return true
  } catch (error) {
    if (isPetStoreError(error, 'precondition_failed')) return false
    throw error
  }
}
