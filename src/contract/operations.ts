import type { Static, TObject, TSchema } from 'typebox'
import type { ErrorCode } from './error.ts'
import { Int64 } from './int64-schema.ts'
import { Type } from './schema.ts'
import { NewPet, Pet, PetStatus, Pets } from './pet.ts'

export type Permission = 'read' | 'write'
export type Stability = 'beta' | 'experimental'

/** One operation of the service: all that a client can see of it. Routes, checks and the document are made from this. */
export interface Operation {
  readonly id: string
  readonly method: 'GET' | 'POST'
  /** Below the base address, parameters in braces. */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly permission: Permission
  readonly deprecation?: Deprecation
  readonly parameters?: { readonly path?: TObject; readonly query?: TObject; readonly header?: TObject }
  readonly body?: TSchema
  readonly success: {
    readonly status: 200 | 201
    readonly description: string
    readonly body: TSchema
    readonly headers: readonly AnswerHeader[]
  }
  /** Beyond those that every operation shares: see `sharedErrors`. */
  readonly errors: readonly ErrorCode[]
}

export interface Deprecation {
  readonly since: Date
  /** From this instant on the operation is gone. */
  readonly sunset: Date
}

export type AnswerHeader =
  | 'ETag'
  | 'Link'
  | 'Location'
  | 'X-Total-Count'
  | 'Preference-Applied'
  | 'Idempotent-Replayed'
  | 'Deprecation'
  | 'Sunset'

/** What any operation may answer, whatever it does. */
export const sharedErrors: readonly ErrorCode[] = [
  'invalid_request',
  'unauthorized',
  'forbidden',
  'request_timeout',
  'uri_too_long',
  'expectation_failed',
  'rate_limited',
  'headers_too_large',
  'internal',
  'unavailable',
]

export const defaultLimit = 20

export const ListPetsQuery = Type.Object({
  limit: Type.Integer({
    minimum: 1,
    maximum: 100,
    default: defaultLimit,
    description: 'Maximum number of animals returned.',
    examples: [20],
  }),
  status: Type.Optional(PetStatus),
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
  cursor: Type.Optional(
    Type.String({
      'x-stability': 'beta',
      maxLength: 64,
      description: 'Where the page starts. Opaque: taken from the `Link` header of the page before, never made up.',
      examples: ['AAAAAAAAABTEQ2gh'],
    }),
  ),
})
export type ListPetsQuery = Static<typeof ListPetsQuery>

export const listPets: Operation = {
  id: 'listPets',
  method: 'GET',
  path: '/pets',
  summary: 'List animals',
  description:
    'Returns a page of animals, ascending by id. While there is more, the answer carries a `Link` header with ' +
    '`rel="next"`: follow it as it is. Paging neither repeats nor skips an animal while others are added.',
  permission: 'read',
  parameters: {
    query: ListPetsQuery,
    header: Type.Object({
      Prefer: Type.Optional(
        Type.String({
          'x-stability': 'beta',
          description: '`count=exact` adds `X-Total-Count`: how many animals match the filters, on all pages together.',
          examples: ['count=exact'],
        }),
      ),
    }),
  },
  success: {
    status: 200,
    description: 'A page of animals.',
    body: Pets,
    headers: ['Link', 'ETag', 'X-Total-Count', 'Preference-Applied'],
  },
  errors: ['invalid_parameter'],
}

export const createPet: Operation = {
  id: 'createPet',
  method: 'POST',
  path: '/pets',
  summary: 'Add an animal',
  description:
    'Answers once the animal is safely on disk. With an `Idempotency-Key` a retry is safe: the same key and body give ' +
    'the first answer again for 24 hours, and nothing is added twice.',
  permission: 'write',
  parameters: {
    header: Type.Object({
      'Idempotency-Key': Type.Optional(
        Type.String({
          'x-stability': 'beta',
          minLength: 1,
          // Room for the quotes and escapes around a key of 255 characters.
          maxLength: 512,
          description:
            'A key of 1 to 255 printable ASCII characters, quoted or bare, that names this attempt to add an animal.',
          examples: ['"8e03978e-40d5-43dd-bc93-6894a57f9324"'],
        }),
      ),
    }),
  },
  body: NewPet,
  success: {
    status: 201,
    description: 'Animal added; the body includes the assigned `id`.',
    body: Pet,
    headers: ['Location', 'Idempotent-Replayed'],
  },
  errors: [
    'invalid_parameter',
    'invalid_body',
    'conflict',
    'payload_too_large',
    'unsupported_media_type',
    'idempotency_mismatch',
  ],
}

export const getPet = {
  id: 'getPet',
  method: 'GET',
  path: '/pets/{petId}',
  summary: 'Get an animal',
  description:
    'Deprecated, and removed on 5 December 2030: use `GET /pets` with a filter (`status`, or `id` for one animal).',
  permission: 'read',
  deprecation: { since: new Date('2026-11-14T00:00:00Z'), sunset: new Date('2030-12-05T00:00:00Z') },
  parameters: {
    path: Type.Object({
      petId: Type.Unsafe<bigint>({ ...Int64, description: 'The identifier of the animal.', examples: [1] }),
    }),
  },
  success: {
    status: 200,
    description: 'The requested animal.',
    body: Pet,
    headers: ['ETag', 'Link', 'Deprecation', 'Sunset'],
  },
  errors: ['not_found', 'gone'],
} as const satisfies Operation

export const operations: readonly Operation[] = [listPets, createPet, getPet]
