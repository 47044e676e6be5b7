import type { Static } from 'typebox'
import { Int64, Type } from '../schema.ts'
import { ImportId } from '../import-result.ts'
import { bodyErrors, type Operation } from '../operation.ts'
import {
  cursor,
  id,
  idempotencyKey,
  limitOf,
  nameFilter,
  newestFirst,
  preconditions,
  prefer,
  shortSearches,
  sort,
} from '../parameters.ts'
import { maxChosen, maxSortedByName, NewPet, Pet, PetChange, Pets, type PetSort, PetStatus } from '../pet.ts'

const byName =
  `${newestFirst} Or \`name\`, by the words of the name as the filter \`name\` compares them: their first 64 characters by ` +
  'code point, equal ones by id; `-name` is the reverse. A sort by name is for filters that at most ' +
  `${maxSortedByName} animals match; otherwise it is refused. A search is not: its pages may be short, or empty.`

const chosenForm = `^[1-9][0-9]{0,18}(,[1-9][0-9]{0,18}){0,${maxChosen - 1}}$`

export const ListPetsQuery = Type.Object({
  limit: limitOf('animals'),
  status: Type.Optional(Type.Unsafe<PetStatus>({ ...PetStatus, 'x-use': 'Returns only animals with this status.' })),
  // Without an example: those of an operation are sent together, and `status` has one.
  without: Type.Optional(
    Type.Unsafe<'status'>({
      type: 'string',
      enum: ['status'],
      'x-stability': 'beta',
      description: 'Returns only animals that have no status. Send either this or `status`: both together are refused.',
    }),
  ),
  categoryId: Type.Optional(
    Type.Unsafe<bigint>({
      ...Int64,
      'x-stability': 'beta',
      description: 'Returns only animals of this category.',
      examples: [1],
    }),
  ),
  id: Type.Optional(
    Type.Unsafe<bigint>({
      ...Int64,
      'x-stability': 'beta',
      description: 'Returns only the animal with this id: the way to read one animal once getPet is gone.',
      examples: [1],
    }),
  ),
  ids: Type.Optional(
    Type.String({
      'x-stability': 'experimental',
      pattern: chosenForm,
      'x-form': { [`of 1 to ${maxChosen} ids, with commas between them`]: chosenForm },
      description:
        `Returns only the animals with these ids: up to ${maxChosen}, separated by commas. An id that no animal has is not ` +
        'an error. The order of the ids has no meaning.',
      examples: ['1,2'],
    }),
  ),
  name: nameFilter('animals', 'rex', 'beta'),
  // Without an example: those of an operation are sent together, and `sort` has one.
  importId: Type.Optional(
    Type.Unsafe<string>({
      ...ImportId,
      'x-stability': 'experimental',
      description:
        'Returns only animals that this import has added, as long as it is listed by `GET /pets/imports`. The order is ' +
        'by id: another `sort` is refused. A page may be short, or empty, and yet have a next one.',
    }),
  ),
  sort: sort<PetSort>(['id', '-id', 'name', '-name'], byName, 'beta'),
  cursor: cursor('beta', 2_000),
})
export type ListPetsQuery = Static<typeof ListPetsQuery>

export const listPets = {
  id: 'listPets',
  method: 'GET',
  path: '/pets',
  summary: 'List animals',
  description:
    'Returns a page of animals, ascending by id unless `sort` says otherwise. If there is a next page, the ' +
    'response has a `Link` header with `rel="next"`: follow it as it is. Paging neither repeats nor skips an animal while others are added or removed. ' +
    shortSearches,
  permission: 'read',
  parameters: {
    query: ListPetsQuery,
    header: prefer({
      'count=exact':
        'adds `X-Total-Count`: how many animals match the filters, on all pages together; not with `name` and `importId`',
    }),
  },
  success: {
    status: 200,
    description: 'A page of animals.',
    body: Pets,
    headers: ['Link', 'Next-Cursor', 'ETag', 'X-Total-Count'],
  },
  errors: [],
} as const satisfies Operation

export const createPet = {
  id: 'createPet',
  method: 'POST',
  path: '/pets',
  summary: 'Add an animal',
  description:
    'Responds when the animal is on disk. With an `Idempotency-Key` a retry is safe: for 24 hours the same key and body ' +
    'get the first response again, and nothing is added twice.',
  permission: 'write',
  parameters: { header: idempotencyKey('add an animal', 'beta') },
  body: NewPet,
  success: {
    status: 201,
    description: 'Animal added; the body includes the assigned `id`.',
    body: Pet,
    headers: ['Location', 'ETag', 'Idempotent-Replayed'],
    links: {
      listPets: {
        operationId: 'listPets',
        description: 'Reads the new animal by its id.',
        parameters: { id: '$response.body#/id' },
      },
    },
  },
  errors: [...bodyErrors, 'conflict', 'idempotency_mismatch'],
} as const satisfies Operation

const petPath = Type.Object({ petId: id('The identifier of the animal.') })

export const getPet = {
  id: 'getPet',
  method: 'GET',
  path: '/pets/{petId}',
  summary: 'Get an animal',
  description:
    'Deprecated, and removed on 5 December 2030: use `GET /pets` with a filter (`status`, or `id` for one animal).',
  permission: 'read',
  deprecation: { since: new Date('2026-11-14T00:00:00Z'), sunset: new Date('2030-12-05T00:00:00Z') },
  parameters: { path: petPath },
  success: {
    status: 200,
    description: 'The requested animal.',
    body: Pet,
    headers: ['ETag', 'Link', 'Deprecation', 'Sunset'],
  },
  errors: ['not_found', 'gone'],
} as const satisfies Operation

export const updatePet = {
  id: 'updatePet',
  method: 'PATCH',
  path: '/pets/{petId}',
  summary: 'Change an animal',
  description:
    'Changes the members that are sent and leaves the others as they are; `status: null` removes the status. With ' +
    '`If-Match` the change is made only if nobody has changed the animal since it was read; without it the last writer wins, field ' +
    'by field. While an animal has an open order, only that order changes its status.',
  permission: 'write',
  stability: 'beta',
  parameters: { path: petPath, header: preconditions('animal') },
  body: PetChange,
  isMergePatch: true,
  success: { status: 200, description: 'The animal as it is now.', body: Pet, headers: ['ETag'] },
  errors: ['not_found', ...bodyErrors, 'conflict', 'precondition_failed'],
  errorMeanings: { conflict: 'The animal has an open order: its status changes only through that order.' },
} as const satisfies Operation

export const deletePet = {
  id: 'deletePet',
  method: 'DELETE',
  path: '/pets/{petId}',
  summary: 'Remove an animal',
  description:
    'Removes an animal for good. Its id is never used again. An animal with an open order cannot be removed.',
  permission: 'write',
  stability: 'beta',
  parameters: { path: petPath, header: preconditions('animal') },
  success: { status: 204, description: 'The animal was removed.', headers: [] },
  errors: ['not_found', 'conflict', 'precondition_failed'],
  errorMeanings: { conflict: 'The animal has an open order.' },
} as const satisfies Operation
