import type { Static } from 'typebox'
import { Int64, Type } from './schema.ts'
import { encodeList, encodeText } from './json.ts'
import { cursor, id, nameFilter } from './parameters.ts'
import { PetChange, PetStatus } from './pet.ts'

/** The most animals that one call changes. */
export const maxBulk = 1_000
/** A dry run counts no further. */
export const maxForecast = 10_000
/** Further refused animals are only counted. */
export const maxListedRefusals = 100

const { status, categoryId } = PetChange.properties

export const BulkFilter = Type.Object(
  {
    status: Type.Optional(PetStatus),
    categoryId,
    name: nameFilter('animals', 'rex'),
    ids: Type.Optional(
      Type.Array(Type.Unsafe<bigint>({ ...Int64, examples: [1] }), {
        minItems: 1,
        description: 'Only animals with one of these ids. An id that no animal has is not an error.',
        examples: [[1, 2]],
      }),
    ),
  },
  {
    $id: 'BulkFilter',
    additionalProperties: false,
    description:
      'Which animals: those that match all members. At least one is needed; unknown members are refused. None of them ' +
      'finds the animals without a status: list these with `without=status` and send their `ids`.',
    examples: [{ status: 'available', categoryId: 1 }],
  },
)
export type BulkFilter = Static<typeof BulkFilter>

export const BulkPetChange = Type.Object(
  { status, categoryId },
  {
    $id: 'BulkPetChange',
    additionalProperties: false,
    description: 'The members to change, at least one. Unknown members are refused.',
    examples: [{ status: 'sold' }],
  },
)
export type BulkPetChange = Static<typeof BulkPetChange>

export const BulkChange = Type.Object(
  {
    filter: BulkFilter,
    change: Type.Optional(BulkPetChange),
    delete: Type.Optional(
      Type.Unsafe<true>({
        type: 'boolean',
        enum: [true],
        description: 'Removes the animals. Either this or `change` is needed, not both.',
        examples: [true],
      }),
    ),
    dryRun: Type.Optional(
      Type.Unsafe<true>({
        type: 'boolean',
        enum: [true],
        description: `Changes nothing: the response says how many animals match, up to ${maxForecast}.`,
        examples: [true],
      }),
    ),
    cursor: cursor(
      undefined,
      64,
      '`next` of the response before, for the same body, or `cursor` of a dry run with the same filter',
    ),
  },
  {
    $id: 'BulkChange',
    description: 'What to do with which animals.',
    examples: [{ filter: { status: 'available', categoryId: 1 }, change: { categoryId: 2 } }],
  },
)
export type BulkChange = Static<typeof BulkChange>

const refusal = { id: 2, message: 'The animal has an open order: complete or cancel that first.' }

export const RefusedPet = Type.Object(
  {
    id: id('The animal.', refusal.id),
    message: Type.String({ description: 'Why, in a sentence.', examples: [refusal.message] }),
  },
  { $id: 'RefusedPet', description: 'An animal that stays as it is.', examples: [refusal] },
)
export type RefusedPet = Static<typeof RefusedPet>

function count(description: string, example: number) {
  return Type.Integer({ minimum: 0, description, examples: [example] })
}

export const BulkResult = Type.Object(
  {
    changed: count('How many animals were changed or removed.', 998),
    unchanged: count('How many had all these values already.', 1),
    refused: count('How many were refused.', 1),
    refusals: Type.Array(RefusedPet, {
      description: `The first ${maxListedRefusals} refused animals.`,
      examples: [[refusal]],
    }),
    next: Type.Optional(
      Type.String({
        description: 'There may be more: send the same body again, with this as `cursor`.',
        examples: ['AAAAAAAAA-gAAAAAAABOIAAAAAA'],
      }),
    ),
  },
  {
    $id: 'BulkResult',
    description: 'What one call did.',
    examples: [{ changed: 998, unchanged: 1, refused: 1, refusals: [refusal] }],
  },
)
export type BulkResult = Static<typeof BulkResult>

const forecastCursor = 'AAAAAAAAAAAAAAAAAABOIAAAAAA20004-k3x9Qa7B'

export const BulkForecast = Type.Object(
  {
    matching: count(`How many animals match, up to ${maxForecast}.`, 1_150),
    more: Type.Unsafe<boolean>({
      type: 'boolean',
      description:
        'Whether more animals match, or may do so: a search that takes more than two seconds is not counted to its end.',
      examples: [false],
    }),
    cursor: Type.String({
      description:
        'Send it as `cursor` with the same filter: then only animals count, or are changed, that were there at this dry run. ' +
        'It is refused if that state was lost with the database, as after a backup was restored.',
      examples: [forecastCursor],
    }),
  },
  {
    $id: 'BulkForecast',
    description: 'What a dry run has counted.',
    examples: [{ matching: 1_150, more: false, cursor: forecastCursor }],
  },
)
export type BulkForecast = Static<typeof BulkForecast>

/** With `dryRun` a forecast, otherwise a result. */
export const BulkResponse = Type.Unsafe<BulkResult | BulkForecast>({
  $id: 'BulkResponse',
  description: 'What one call did or, with `dryRun`, how many animals match.',
  oneOf: [BulkResult, BulkForecast],
  examples: [{ changed: 998, unchanged: 1, refused: 1, refusals: [refusal] }],
})

export function encodeBulkResult({ changed, unchanged, refused, refusals, next }: BulkResult): string {
  const listed = encodeList(refusals, ({ id, message }) => `{"id":${id},"message":${encodeText(message)}}`)
  const start = `{"changed":${changed},"unchanged":${unchanged},"refused":${refused},"refusals":${listed}`
  return next === undefined ? `${start}}` : `${start},"next":"${next}"}`
}
