import {
  type Int64,
  isPetStoreError,
  type ListPetsQuery,
  type NewPet,
  type Page,
  type Pet,
  type PetChange,
  type WithEtag,
} from '../../client/src/index.ts'
import { petStatusAfter } from '../../src/contract/pet-status-after.ts'
import { fillPage } from '../api/fill-page.ts'
import { service } from '../api/service.ts'
import { type Change, isPetChange, publishOwn } from './feed.ts'
import { currentPreferences } from './preferences.ts'

export type PetSort = NonNullable<ListPetsQuery['sort']>

export interface PetPage extends Page<Pet> {
  /** Too many animals match for a sort by name: this is the first page by number. */
  isSortRefused?: true
}

const reversed = { id: '-id', '-id': 'id', name: '-name', '-name': 'name' } as const

/** A page of animals, in the order of the sort also if the list is read from its end. */
export async function readPets(
  { sort = 'id', ...query }: Omit<ListPetsQuery, 'limit'>,
  isFromEnd: boolean,
  signal: AbortSignal,
): Promise<PetPage> {
  try {
    if (!isFromEnd) return await listPets({ ...query, sort }, signal)
    const page = await listPets({ ...query, sort: reversed[sort] }, signal)
    return { ...page, items: page.items.toReversed() }
  } catch (error) {
    if (!isPetStoreError(error, 'invalid_parameter') || !error.fields.includes('sort')) throw error
    return { ...(await listPets({ ...query, cursor: undefined }, signal)), isSortRefused: true }
  }
}

function listPets({ cursor, ...filter }: ListPetsQuery, signal: AbortSignal): Promise<Page<Pet>> {
  return fillPage(
    ({ signal, ...part }) =>
      service()
        .pets.list({ ...filter, ...part }, { signal, count: part.cursor === cursor })
        .page(),
    { cursor, limit: currentPreferences().pageSize, signal },
  )
}

/** The page after a change, as far as its animals show it; the same page if none of them does. */
export function patchPets(page: PetPage, change: Change): PetPage {
  const items = page.items.map((pet) => petAfter(pet, change))
  return items.every((pet, index) => pet === page.items[index]) ? page : { ...page, items }
}

function petAfter(pet: Pet, change: Change): Pet {
  if (!isPetChange(change)) {
    const { petId, status } = change.data
    return isSameId(petId, pet.id) ? { ...pet, status: petStatusAfter[status] } : pet
  }
  return change.type === 'petstore.pet.updated' && isSameId(change.data.id, pet.id) ? change.data : pet
}

export function isSameId(one: Int64, other: Int64): boolean {
  return String(one) === String(other)
}

/** The items of a page, behind one that was asked for by its number. */
export function withFirst<Item extends { id: Int64 }>(first: Item | undefined, items: readonly Item[]): Item[] {
  return first === undefined ? [...items] : [first, ...items.filter(({ id }) => !isSameId(id, first.id))]
}

export async function createPet(pet: NewPet, idempotencyKey: string): Promise<Pet> {
  const client = service()
  const created = await client.pets.create(pet, { idempotencyKey })
  publishOwn(client, { type: 'petstore.pet.created', data: created })
  return created
}

/** Changes an animal if it is unchanged since `seen`; otherwise rejects with `precondition_failed`. */
export async function changePet(
  seen: WithEtag<Pet>,
  { name, categoryId, status }: PetChange,
  client = service(),
): Promise<WithEtag<Pet>> {
  const changed = await client.pets.update(seen.id, { name, categoryId, status }, { ifMatch: seen })
  publishOwn(client, { type: 'petstore.pet.updated', data: changed })
  return changed
}

export async function removePet(seen: WithEtag<Pet>, client = service()): Promise<void> {
  try {
    await client.pets.delete(seen.id, { ifMatch: seen })
  } catch (error) {
    // It is deleted, by an attempt whose response was lost or by another client.
    if (!isPetStoreError(error, 'not_found')) throw error
  }
  publishOwn(client, { type: 'petstore.pet.deleted', data: seen })
}

/** The change that makes one animal like another. */
export function changeBetween(before: NewPet, after: NewPet): PetChange {
  return {
    ...(after.name !== before.name && { name: after.name }),
    ...(!isSameId(after.categoryId, before.categoryId) && { categoryId: after.categoryId }),
    ...(after.status !== before.status && { status: after.status ?? null }),
  }
}

export function isSamePet(one: NewPet, other: NewPet): boolean {
  return (
    one.name === other.name && isSameId(one.categoryId, other.categoryId) && (one.status ?? '') === (other.status ?? '')
  )
}
