import { checker } from '../../contract/checker.ts'
import { ListOrdersQuery } from '../../contract/operations/orders.ts'
import { ListPetsQuery } from '../../contract/operations/pets.ts'
import { PetStatus } from '../../contract/pet.ts'
import { Type } from '../../contract/schema.ts'
import type { OrderFilter } from '../../inventory/orders.ts'
import { canCount, type PetFilter, type StatusFilter } from '../../inventory/pets.ts'
import { encodeOrders } from '../../transfer/encode-orders.ts'
import { encodePets } from '../../transfer/encode-pets.ts'
import { csvFormat } from '../../transfer/formats/csv.ts'
import { ndjson } from '../../transfer/formats/ndjson.ts'
import { Failure } from '../shared/failure.ts'
import { readStorage } from '../shared/with-storage.ts'
import { csvOptionsOf, type FormatOptions, writeExport } from './write-export.ts'

const { name, categoryId } = ListPetsQuery.properties
const PetFilters = Type.Object({
  name,
  status: Type.Optional(Type.Unsafe<StatusFilter>({ type: 'string', enum: [...PetStatus.enum, 'none'] })),
  category: categoryId,
})

const { status, petId, customer, petName } = ListOrdersQuery.properties
const OrderFilters = Type.Object({ status, animal: petId, customer, 'animal-name': petName })

type FilterOptions<Filters extends { properties: object }> = Partial<Record<keyof Filters['properties'], string>>

type OrderOptions = Omit<FilterOptions<typeof OrderFilters>, 'animal-name'> & { animalName?: string }

const pageSize = 1_000

/** Writes all matching animals, ascending by id, to a file or to standard output. */
export async function exportAnimals(
  file: string | undefined,
  options: FormatOptions & FilterOptions<typeof PetFilters>,
): Promise<void> {
  const csv = csvOptionsOf(file, options)
  const filter = petFilterOf(options)
  await readStorage('Animals', async ({ pets, atOneState }, config) => {
    const format = csv === undefined ? ndjson : csvFormat(csv)
    const total = canCount(filter) ? Number(await pets.count(filter)) : undefined
    await writeExport(file, {
      noun: 'animal',
      total,
      config,
      parts: encodePets(pets, { format, filter, pageSize, atOneState }),
    })
  })
}

/** Writes all matching orders, ascending by id, to a file or to standard output. */
export async function exportOrders(file: string | undefined, options: FormatOptions & OrderOptions): Promise<void> {
  const csv = csvOptionsOf(file, options)
  const filter = orderFilterOf(options)
  await readStorage('Orders', async ({ orders }, config) => {
    await writeExport(file, { noun: 'order', config, parts: encodeOrders(orders, { filter, pageSize, csv }) })
  })
}

function petFilterOf({ name, status, category }: FilterOptions<typeof PetFilters>): PetFilter {
  const checked = checker(PetFilters, 'text')({ name, status, category })
  if ('faults' in checked) throw new Failure(`--${checked.faults}`)
  const { category: categoryId, ...filter } = checked.value
  return { ...filter, ...(categoryId !== undefined && { categoryId }) }
}

function orderFilterOf({ status, animal, customer, animalName }: OrderOptions): OrderFilter {
  const checked = checker(OrderFilters, 'text')({ status, animal, customer, 'animal-name': animalName })
  if ('faults' in checked) throw new Failure(`--${checked.faults}`)
  const { animal: petId, 'animal-name': petName, ...filter } = checked.value
  return { ...filter, ...(petId !== undefined && { petId }), ...(petName !== undefined && { petName }) }
}
