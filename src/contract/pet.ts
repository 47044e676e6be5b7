import type { Static } from 'typebox'
import { Int64, Type } from './schema.ts'
import { decoderOf, encodeList, encodeText } from './json.ts'
import { membersOf } from './members.ts'
import type { IdSort } from './parameters.ts'

export const PetStatus = Type.Enum(['available', 'pending', 'sold'], {
  $id: 'PetStatus',
  type: 'string',
  description: 'Availability status of an animal.',
  examples: ['available'],
})
export type PetStatus = Static<typeof PetStatus>

export const PetName = Type.String({
  minLength: 1,
  // No NUL, which PostgreSQL cannot store, and at least one character that is not white space (\s lacks U+0085).
  // Neighbouring parts of the pattern match different characters, so matching takes linear time.
  pattern: '^[\\s\\x85]*[^\\s\\x85\\x00][^\\x00]*$',
  'x-form': { 'that is not only white space': '[^\\s\\x85]', 'that has no NUL (U+0000)': '^[^\\x00]*$' },
  description:
    "The animal's name: not empty, not only white space, no NUL. It has no length limit of its own; the body has 64 KiB. " +
    'Kept exactly as sent.',
  examples: ['Rex'],
})

/** The orders of a list of pets. What `name` compares is in inventory/name-words.ts. */
export type PetSort = IdSort | 'name' | '-name'

export function isByName(sort: PetSort | undefined): sort is 'name' | '-name' {
  return sort === 'name' || sort === '-name'
}

/** How many ids the filter `ids` may name: as many animals as a page can have. */
export const maxChosen = 100

/** How many pets a list by name may choose from: all of them are read for each page. */
export const maxSortedByName = 20_000

export const NewPet = Type.Object(
  {
    name: PetName,
    categoryId: Type.Unsafe<bigint>({
      ...Int64,
      description: 'Identifier of the category the animal belongs to. Any int64; no check that the category exists.',
      examples: [1],
    }),
    status: Type.Optional(PetStatus),
  },
  {
    $id: 'NewPet',
    description: 'An animal to add. Unknown members are ignored.',
    examples: [{ name: 'Rex', categoryId: 1, status: 'available' }],
  },
)
export type NewPet = Static<typeof NewPet>

export const PetChange = Type.Object(
  {
    name: Type.Optional(PetName),
    categoryId: Type.Optional(NewPet.properties.categoryId),
    status: Type.Optional(
      Type.Unsafe<PetStatus | null>({
        anyOf: [PetStatus, { type: 'null' }],
        description: 'Availability status of an animal; null removes it.',
        examples: ['sold'],
      }),
    ),
  },
  {
    $id: 'PetChange',
    description: 'The members to change. The others stay as they are; unknown members are ignored.',
    examples: [{ status: 'sold' }],
  },
)
export type PetChange = Static<typeof PetChange>

export const Pet = Type.Object(
  {
    id: Type.Unsafe<bigint>({
      ...Int64,
      description: 'Unique identifier, assigned by the service on creation and never used twice.',
      examples: [1],
    }),
    ...NewPet.properties,
  },
  {
    $id: 'Pet',
    description: 'An animal of the shop. `status` is absent if the animal has none.',
    examples: [{ id: 1, name: 'Rex', categoryId: 1, status: 'available' }],
  },
)
export type Pet = Static<typeof Pet>

export const petMembers = membersOf(Pet)

/**
 * The JSON of an animal: members in the contract's order, all digits of an int64. Written out, because pages of animals
 * are encoded most: `codecOf` takes half as long again.
 */
export function encodePet(pet: Pet): string {
  const start = `{"id":${pet.id},"name":${encodeText(pet.name)},"categoryId":${pet.categoryId}`
  return pet.status === undefined ? `${start}}` : `${start},"status":"${pet.status}"}`
}

/** Reads what `encodePet` wrote. */
export const decodePet = decoderOf<Pet>(petMembers)

export function encodePets(pets: readonly Pet[]): string {
  return encodeList(pets, encodePet)
}

/** The members that a client gives, in order. */
export const newPetMembers = Object.keys(NewPet.properties) as readonly (keyof NewPet)[]

export const Pets = Type.Array(Pet, {
  $id: 'Pets',
  description: 'A page of animals.',
  examples: [[{ id: 1, name: 'Rex', categoryId: 1, status: 'available' }]],
})
export type Pets = Static<typeof Pets>
