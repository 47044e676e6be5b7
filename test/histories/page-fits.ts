import type { Feed } from './feed.ts'
import { type Animal, type Answer, type Next, numberOf, type Order } from './history.ts'

/** Of a page that goes on after one whose search stopped early: where that one was seen, and this one is. */
interface Since {
  from: number
  to: number
}

/**
 * Says whether a page is right. `rest` is all that matches after the page before. A search may stop early: its page may
 * be short and yet have a link to the next one, which begins behind everything that the search had looked at. So rows
 * may be left out there if they were changed since.
 */
export function pageChecker({ events }: Feed) {
  const changes = new Map<number, number[]>()
  const orderChanges = new Map<number, number[]>()
  for (const event of events) {
    const all = event.type.startsWith('petstore.order.') ? orderChanges : changes
    const known = all.get(event.data.id)
    if (known === undefined) all.set(event.data.id, [numberOf(event)])
    else known.push(numberOf(event))
  }

  function isChanged(row: Animal | Order, { from, to }: Since): boolean {
    const own = 'petId' in row ? orderChanges.get(row.id) : changes.get(row.id)
    const ofAnimal = 'petId' in row ? changes.get(row.petId) : undefined
    return [...(own ?? []), ...(ofAnimal ?? [])].some((number) => number > from && number <= to)
  }

  return (
    rest: readonly (Animal | Order)[],
    { limit, next }: { limit: number; next?: Next<Animal | Order> },
    isSearch: boolean,
    { body, cursor }: Answer,
    since: Since,
  ): boolean => {
    const isEnd = cursor === undefined
    if (!isSearch) return isSame(rest.slice(0, limit), body) && rest.length > limit !== isEnd
    const given = body as (Animal | Order)[]
    const first = given[0] === undefined ? (isEnd ? rest.length : 0) : rest.findIndex(({ id }) => id === given[0]?.id)
    if (first < 0 || given.length > limit) return false
    const isAfterShort = next?.since !== undefined
    if (!rest.slice(0, first).every((row) => isAfterShort && isChanged(row, since))) return false
    const end = first + given.length
    return isSame(rest.slice(first, end), given) && (!isEnd || end === rest.length)
  }
}

export function isSame(expected: unknown, given: unknown): boolean {
  return JSON.stringify(expected) === JSON.stringify(given)
}
