import { type Checked, checker } from '../contract/checker.ts'
import { Int64, Type } from '../contract/schema.ts'
import { Order } from '../contract/order.ts'
import { PetStoreError } from '../inventory/errors.ts'
import type { Row } from '../inventory/snapshot.ts'
import { isCounted, type Resource, type ResourceDescription, resources } from '../inventory/tables.ts'
import { resourceRows } from '../storage/shared/rows/resource-rows.ts'
import type { ImageContents } from '../storage/sqlite/upkeep/image.ts'
import { type FileTable, fileTables, forEachFileTable, invalidLine, type Line } from './lines.ts'
import { minRowBytes, refusalOfSize } from './limits.ts'

/** Ids above this would leave none for what is added later. */
const maxSeedId = 9_000_000_000_000_000_000n

const Id = Type.Unsafe<bigint>({ ...Int64, minimum: 1 })
/** The check of a line of each resource. */
const checks = forEachFileTable((table) => {
  const { schema }: ResourceDescription = resources[table]
  return checker(isCounted(table) ? Type.Object({ ...schema.properties, id: Id }) : schema, 'json') as Check<never>
})
const checkOrder = checker(
  Type.Object({ ...Order.properties, id: Id, updatedAt: Type.Optional(Order.properties.updatedAt) }),
  'json',
)

type Check<Value> = (input: Line['value'], isStrict: boolean) => Checked<Value>

/** The resources that a line names by its `type`. One without is a pet. */
const typed = fileTables.filter((table) => table !== 'pets')

/** Collects the lines of a seed: what is in a shop, by the rules of the shop. Faults name the line. */
export function seedReader(maxId = maxSeedId, isStrict = false) {
  const rows = forEachFileTable(() => new Map<bigint, Row>())
  /** The lines of open orders, by the ids of their pets. */
  const openOrders = new Map<bigint, number>()
  let bytes = 0

  function add<Table extends FileTable>(table: Table, { number }: Line, item: Resource<Table>): void {
    const row = resourceRows[table].toRow(item)
    const id = row[0] as bigint
    if (rows[table].has(id))
      throw invalidLine(number, `Another ${resources[table].noun} of this seed has the id ${id}.`)
    if (isCounted(table) && id > maxId) throw invalidLine(number, `id must be at most ${maxId}.`)
    rows[table].set(id, row)
    bytes += sizeOfRow(row)
    refuseSize({ pets: rows.pets.size, events: 0, bytes })
  }

  function addOrder(line: Line): void {
    const given = checked(checkOrder, line, isStrict)
    const { petId, status, placedAt, updatedAt = placedAt } = given
    if (status === 'placed') {
      if (openOrders.has(petId)) throw invalidLine(line.number, `The animal ${petId} has another open order.`)
      openOrders.set(petId, line.number)
    }
    add('orders', line, { ...given, updatedAt })
  }

  return {
    read(line: Line): void {
      const { type } = line.value
      const table = type === undefined ? 'pets' : typed.find((each) => resources[each].noun === type)
      if (table === undefined) {
        const nouns = typed.map((each) => resources[each].noun)
        throw invalidLine(line.number, `type must be ${nouns.join(' or ')}, or absent for an animal.`)
      }
      if (table === 'orders') addOrder(line)
      else add(table, line, checked(checks[table], line, isStrict))
    },

    end(): ImageContents['rows'] {
      for (const [petId, number] of openOrders) {
        if (rows.pets.get(petId)?.[3] === 'pending') continue
        throw invalidLine(number, `An open order needs its animal, ${petId}, with the status pending.`)
      }
      return { ...forEachFileTable((table) => [...rows[table].values()]), pets: byId(rows.pets) }
    },
  }
}

/** With `isStrict`, members that the line should not have are faults. */
export function checked<Value>(check: Check<Value>, { number, value }: Line, isStrict = false): Value {
  const { type: _type, ...members } = value
  const result = check(members, isStrict)
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
