import type { Static } from 'typebox'
import { maxListedRefusals, RefusedPet } from './bulk.ts'
import { encodeList, encodeText } from './json.ts'
import { timesLike, Type } from './schema.ts'

const example = {
  id: 'spring-2026',
  at: '2026-01-05T09:00:00.000Z',
  keyname: 'web shop',
  added: 1000,
  rejected: 2,
}

const time = timesLike(example.at)

function count(description: string, sample: number) {
  return Type.Integer({ minimum: 0, description, examples: [sample] })
}

export const Import = Type.Object(
  {
    id: Type.String({ description: 'The `importId` of its requests.', examples: [example.id] }),
    at: time('When it began.'),
    keyname: Type.String({
      description: 'The name of the key that began it, at that time.',
      examples: [example.keyname],
    }),
    added: count('How many animals its requests have added so far.', example.added),
    rejected: count('How many rows they have rejected.', example.rejected),
    undoneAt: Type.Optional(time('When it was undone.')),
  },
  {
    $id: 'Import',
    description: 'Animals that were added from a file, with one request or several.',
    examples: [example],
  },
)
export type Import = Static<typeof Import>

export const Imports = Type.Array(Import, { $id: 'Imports', description: 'A page of imports.', examples: [[example]] })

const keep = { id: 2, message: 'The animal was changed or ordered after it was added.' }

export const UndoResult = Type.Object(
  {
    removed: count('How many animals were removed.', 998),
    kept: count('How many stay, because they were changed or ordered since.', 1),
    keeps: Type.Array(RefusedPet, { description: `The first ${maxListedRefusals} that stay.`, examples: [[keep]] }),
    next: Type.Optional(
      Type.String({
        description: 'There may be more: send the request again, with this as `cursor`.',
        examples: ['AAAAAAAAA-gAAAAA'],
      }),
    ),
  },
  { $id: 'UndoResult', description: 'What one call did.', examples: [{ removed: 998, kept: 1, keeps: [keep] }] },
)
export type UndoResult = Static<typeof UndoResult>

export function encodeUndoResult({ removed, kept, keeps, next }: UndoResult): string {
  const listed = encodeList(keeps, ({ id, message }) => `{"id":${id},"message":${encodeText(message)}}`)
  const end = next === undefined ? '' : `,"next":"${next}"`
  return `{"removed":${removed},"kept":${kept},"keeps":${listed}${end}}`
}
