import type { Bug, Parts } from './bug.ts'
import { port, request } from './vocabulary.ts'

const source = 'decision 7'

export const fileBugs: readonly Bug[] = [
  {
    number: 116,
    name: 'category-name-minds-case',
    kind: 'state',
    severity: 'low',
    difficulty: 'medium',
    wrong: 'An import finds a category by its name only if the case of all letters is the same.',
    breaks: [source, '`categoryName`: exact name, then without case and accents.'],
    found: 'Import an animal of the category `dogs` into a shop that has `Dogs`.',
    make: () =>
      port('imports', (honest, { categories }) => ({
        async findCategories(names) {
          const found = await honest.findCategories(names)
          const isExact = async (match: unknown, index: number) =>
            typeof match !== 'bigint' || (await categories.find(match))?.name === names[index]
          const exact = await Promise.all(found.map(isExact))
          return found.map((match, index) => (exact[index] === true ? match : 'missing'))
        },
      })),
  },
  {
    number: 117,
    name: 'create-categories-ignored',
    kind: 'state',
    severity: 'medium',
    difficulty: 'easy',
    wrong: 'An import never makes a category, whatever `create-categories` says.',
    breaks: [source, 'Unknown is a reject, unless `create-categories=true`.'],
    found: 'Import an animal of a new category with `create-categories=true`.',
    make: () => ignoring('/v1/pets/import', 'create-categories'),
  },
  {
    number: 118,
    name: 'dry-run-stores',
    kind: 'state',
    severity: 'critical',
    difficulty: 'medium',
    wrong: 'An import with `dry-run=true` adds the animals.',
    breaks: [source, '`dry-run=true`: nothing is stored, no idempotency record either.'],
    found: 'Import an animal with `dry-run=true` and list the animals.',
    make: () => ignoring('/v1/pets/import', 'dry-run'),
  },
  {
    number: 119,
    name: 'spreadsheet-ignored',
    kind: 'types',
    severity: 'low',
    difficulty: 'easy',
    wrong: 'An export for a spreadsheet has neither a byte order mark nor the names of categories.',
    breaks: [source, '`spreadsheet=true` adds a BOM and a column `categoryName`.'],
    found: 'The first bytes of `GET /pets/export?spreadsheet=true`.',
    make: () => ignoring('/v1/pets/export', 'spreadsheet'),
  },
  {
    number: 120,
    name: 'separator-ignored',
    kind: 'types',
    severity: 'low',
    difficulty: 'easy',
    wrong: 'The columns of an export are always separated by commas.',
    breaks: [source, '`separator=comma|semicolon|tab`.'],
    found: 'The first line of `GET /pets/export?separator=tab`.',
    make: () => ignoring('/v1/pets/export', 'separator'),
  },
]

/** A parameter of a path has no effect. */
function ignoring(path: string, name: string): Parts {
  return request(({ target }) => {
    const query = new URLSearchParams(target.query)
    if (target.path !== path || !query.has(name)) return
    query.delete(name)
    target.query = query.toString()
  })
}
