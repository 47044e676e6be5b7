import { type Bug, bug, type Parts } from './bug.ts'
import { port, request } from './vocabulary.ts'

const source = 'decision 7'

export const fileBugs: readonly Bug[] = [
  bug(116, 'category-name-minds-case', 'state', 'low', 'medium', {
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
  }),
  bug(117, 'create-categories-ignored', 'state', 'medium', 'easy', {
    wrong: 'An import never makes a category, whatever `create-categories` says.',
    breaks: [source, 'Unknown is a reject, unless `create-categories=true`.'],
    found: 'Import an animal of a new category with `create-categories=true`.',
    make: () => ignoring('/v1/pets/import', 'create-categories'),
  }),
  bug(118, 'dry-run-stores', 'state', 'critical', 'medium', {
    wrong: 'An import with `dry-run=true` adds the animals.',
    breaks: [source, '`dry-run=true`: nothing is stored, no idempotency record either.'],
    found: 'Import an animal with `dry-run=true` and list the animals.',
    make: () => ignoring('/v1/pets/import', 'dry-run'),
  }),
  bug(119, 'spreadsheet-ignored', 'types', 'low', 'easy', {
    wrong: 'An export for a spreadsheet has neither a byte order mark nor the names of categories.',
    breaks: [source, '`spreadsheet=true` adds a BOM and a column `categoryName`.'],
    found: 'The first bytes of `GET /pets/export?spreadsheet=true`.',
    make: () => ignoring('/v1/pets/export', 'spreadsheet'),
  }),
  bug(120, 'separator-ignored', 'types', 'low', 'easy', {
    wrong: 'The columns of an export are always separated by commas.',
    breaks: [source, '`separator=comma|semicolon|tab`.'],
    found: 'The first line of `GET /pets/export?separator=tab`.',
    make: () => ignoring('/v1/pets/export', 'separator'),
  }),
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
