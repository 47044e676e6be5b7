import { Category } from '../contract/category.ts'
import { type Checked, checker } from '../contract/checker.ts'
import { Int64 } from '../contract/int64-schema.ts'
import { Order } from '../contract/order.ts'
import { Pet } from '../contract/pet.ts'
import { Type } from '../contract/schema.ts'
import { PetStoreError } from '../inventory/errors.ts'
import type { Row } from '../inventory/snapshot.ts'
import { resourceRows } from '../storage/shared/rows/resource-rows.ts'
import type { ImageContents } from '../storage/sqlite/upkeep/image.ts'
import { minRowBytes, refusalOfSize } from './limits.ts'
import { invalidLine, type Line } from './lines.ts'

/** Ids above this would leave none for what is added later. */
const maxSeedId = 9_000_000_000_000_000_000n

const Id = Type.Unsafe<bigint>({ ...Int64, minimum: 1 })
const checkPet = checker(Type.Object({ ...Pet.properties, id: Id }), 'json')
const checkCategory = checker(Category, 'json')
const checkOrder = checker(
  Type.Object({ ...Order.properties, id: Id, updatedAt: Type.Optional(Order.properties.updatedAt) }),
  'json',
)

export type SeedReader = ReturnType<typeof seedReader>

/** Collects the lines of a seed: what is in a shop, by the rules of the shop. Faults name the line. */
export function seedReader(maxId = maxSeedId) {
  const pets = new Map<bigint, Row>()
  const categories = new Map<bigint, Row>()
  const orders = new Map<bigint, Row>()
  /** The lines of open orders, by the ids of their pets. */
  const openOrders = new Map<bigint, number>()
  let bytes = 0

  function add(rows: Map<bigint, Row>, what: string, { number }: Line, row: Row): void {
    const id = row[0] as bigint
    if (rows.has(id)) throw invalidLine(number, `Another ${what} of this seed has the id ${id}.`)
    if (what !== 'category' && id > maxId) throw invalidLine(number, `id must be at most ${maxId}.`)
    rows.set(id, row)
    bytes += sizeOfRow(row)
    refuseSize({ pets: pets.size, events: 0, bytes })
  }

  function addOrder(line: Line): void {
    const given = checked(checkOrder, line)
    const { petId, status, placedAt, updatedAt = placedAt } = given
    if (status === 'placed') {
      if (openOrders.has(petId)) throw invalidLine(line.number, `The animal ${petId} has another open order.`)
      openOrders.set(petId, line.number)
    }
    add(orders, 'order', line, resourceRows.orders.toRow({ ...given, updatedAt }))
  }

  return {
    read(line: Line): void {
      switch (line.value['type']) {
        case undefined:
          return add(pets, 'animal', line, resourceRows.pets.toRow(checked(checkPet, line)))
        case 'category': {
          const { id, name } = checked(checkCategory, line)
          return add(categories, 'category', line, [id, name])
        }
        case 'order':
          return addOrder(line)
        default:
          throw invalidLine(line.number, 'type must be category or order, or absent for an animal.')
      }
    },

    end(): ImageContents['rows'] {
      for (const [petId, number] of openOrders) {
        if (pets.get(petId)?.[3] === 'pending') continue
        throw invalidLine(number, `An open order needs its animal, ${petId}, with the status pending.`)
      }
      return { categories: [...categories.values()], pets: byId(pets), orders: [...orders.values()] }
    },
  }
}

export function checked<Value>(check: (input: Line['value']) => Checked<Value>, { number, value }: Line): Value {
  const result = check(value)
  if ('faults' in result) throw invalidLine(number, result.faults)
  return result.value
}

export function refuseSize(size: Parameters<typeof refusalOfSize>[0]): void {
  const refusal = refusalOfSize(size)
  if (refusal !== undefined) throw new PetStoreError('conflict', refusal)
}

function byId(rows: ReadonlyMap<bigint, Row>): Row[] {
  return [...rows.values()].toSorted(([one], [other]) => ((one as bigint) < (other as bigint) ? -1 : 1))
}

/** What a row takes at least. */
export function sizeOfRow(row: Row): number {
  let bytes = minRowBytes
  for (const value of row) if (typeof value === 'string') bytes += value.length
  return bytes
}
