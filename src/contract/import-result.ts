import type { Static } from 'typebox'
import { Type } from './schema.ts'

/** Further rejected rows are only counted. */
export const maxListedRejects = 100

/** The most animals that an import adds all or nothing: other writes wait while they are added. */
export const maxAllOrNothing = 50_000

/** The most categories that an import makes: more are a sign that another column was taken for their names. */
export const maxNewCategories = 1_000

export const RejectedRow = Type.Object(
  {
    line: Type.Integer({ minimum: 1, description: 'The line where the row begins, counted from 1.', examples: [3] }),
    message: Type.String({ description: 'Why, in one or more sentences.', examples: ['name is missing.'] }),
  },
  {
    $id: 'RejectedRow',
    description: 'A row of a file that was not added.',
    examples: [{ line: 3, message: 'name is missing.' }],
  },
)
export type RejectedRow = Static<typeof RejectedRow>

export const ImportResult = Type.Object(
  {
    added: Type.Integer({ minimum: 0, description: 'How many animals were added.', examples: [2] }),
    rejected: Type.Integer({ minimum: 0, description: 'How many rows were rejected.', examples: [1] }),
    rejects: Type.Array(RejectedRow, {
      description: `The first ${maxListedRejects} rejected rows.`,
      examples: [[{ line: 3, message: 'name is missing.' }]],
    }),
    newCategories: Type.Optional(
      Type.Array(Type.String({ examples: ['Hamsters'] }), {
        description: 'With `dry-run`: the names of the categories that would be made, in the order of the file.',
        examples: [['Hamsters']],
      }),
    ),
  },
  {
    $id: 'ImportResult',
    description: 'What became of the rows of a file.',
    examples: [{ added: 2, rejected: 1, rejects: [{ line: 3, message: 'name is missing.' }] }],
  },
)
export type ImportResult = Static<typeof ImportResult>
