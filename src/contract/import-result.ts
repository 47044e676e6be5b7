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

const importIdPattern = '^[A-Za-z0-9_-]*$'

/** Made by clients or, if they send none, by the service. */
export const ImportId = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: importIdPattern,
  'x-form': { 'of letters, digits, _ and -': importIdPattern },
})

/** Whether an import can have this id. PostgreSQL cannot compare every text: none may contain NUL. */
export function isImportId(text: string): boolean {
  return new RegExp(importIdPattern).test(text)
}

const earlier = { importId: 'spring-2026', at: '2026-01-05T09:00:00.000Z', keyname: 'web shop' }

export const EarlierImport = Type.Object(
  {
    importId: Type.String({ description: 'Identifies the import.', examples: [earlier.importId] }),
    at: Type.String({ format: 'date-time', description: 'When it began.', examples: [earlier.at] }),
    keyname: Type.String({
      description: 'The name of the key that began it, at that time.',
      examples: [earlier.keyname],
    }),
  },
  {
    $id: 'EarlierImport',
    description:
      'Another import that has added the same animals before, is still listed and was not undone. Never the one whose ' +
      '`importId` was sent: two parts of an import may have the same rows.',
    examples: [earlier],
  },
)
export type EarlierImport = Static<typeof EarlierImport>

export const ImportResult = Type.Object(
  {
    importId: Type.Optional(
      Type.String({
        description:
          'Identifies the import that the file is a part of: the parameter or, without it, one that the service has ' +
          'made. Absent in a dry run without the parameter.',
        examples: ['spring-2026'],
      }),
    ),
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
    earlier: Type.Optional(EarlierImport),
  },
  {
    $id: 'ImportResult',
    description: 'What became of the rows of a file.',
    examples: [{ importId: 'spring-2026', added: 2, rejected: 1, rejects: [{ line: 3, message: 'name is missing.' }] }],
  },
)
export type ImportResult = Static<typeof ImportResult>
