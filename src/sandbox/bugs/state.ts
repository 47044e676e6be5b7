import type { NewPet } from '../../contract/pet.ts'
import { type Bug, bug } from './bug.ts'
import { port } from './vocabulary.ts'

const kind = 'state'
const silent = 'decision 1'
const beyond = 'decision 11'

export const stateBugs: readonly Bug[] = [
  bug(105, 'id-used-again', kind, 'critical', 'hard', {
    wrong: 'When the animal with the highest id is deleted, the next one gets its id.',
    breaks: [silent, 'The id is never used twice, not even after a delete or a crash.'],
    found: 'Create, delete, create: the ids are equal.',
    make: () => ({
      triggers: `
        CREATE TRIGGER bug_id_used_again AFTER DELETE ON pets BEGIN
          UPDATE sqlite_sequence SET seq = (SELECT ifnull(max(id), 0) FROM pets) WHERE name = 'pets';
        END;`,
    }),
  }),
  bug(106, 'cancelled-stays-pending', kind, 'high', 'medium', {
    wrong: 'The animal of a cancelled order stays pending.',
    breaks: [beyond, '`cancelled` makes the animal `available` again.'],
    found: 'Order an animal, cancel the order, read the animal.',
    make: () =>
      port('orders', (honest, { pets }) => ({
        async update(id, change, precondition, author) {
          const update = await honest.update(id, change, precondition, author)
          if (update.outcome === 'updated' && change.status === 'cancelled')
            await pets.update(update.order.petId, { status: 'pending' }, undefined, author)
          return update
        },
      })),
  }),
  bug(107, 'patch-removes-the-status', kind, 'critical', 'medium', {
    wrong: 'A change without a status removes the status, as if the body were the whole animal.',
    breaks: [beyond, '`updatePet` is a JSON merge patch.'],
    found: 'Change the name of an animal that has a status.',
    make: () =>
      port('pets', (honest) => ({
        update: (id, change, ...others) => honest.update(id, { status: null, ...change }, ...others),
      })),
  }),
  bug(108, 'inventory-counts-the-deleted', kind, 'medium', 'hard', {
    wrong: 'The total of the inventory still counts deleted animals.',
    breaks: ['decision 17', 'The inventory counts the animals there are.'],
    found: 'Read the inventory, delete an animal, read it again.',
    make() {
      let removed = 0n
      return port('pets', (honest) => ({
        async remove(...request) {
          const removal = await honest.remove(...request)
          if (removal.outcome === 'removed') removed++
          return removal
        },
        async inventory(...request) {
          const inventory = await honest.inventory(...request)
          return { ...inventory, total: inventory.total + removed }
        },
      }))
    },
  }),
  bug(109, 'import-loses-category-names', kind, 'high', 'devilish', {
    wrong: 'A category to which an import adds animals loses its name.',
    breaks: ['decision 7', 'An import adds animals; it changes nothing else.'],
    found: 'Import an animal of a category with a name, then read the category.',
    make() {
      const lost = new Set<bigint>()
      return {
        ports: ({ imports, categories }) => ({
          imports: {
            ...imports,
            async add(pets, ...others) {
              const isAdded = await imports.add(pets, ...others)
              if (isAdded && Array.isArray(pets)) for (const { categoryId } of pets as NewPet[]) lost.add(categoryId)
              return isAdded
            },
          },
          categories: {
            ...categories,
            find: async (id) => (lost.has(id) ? undefined : categories.find(id)),
            async list(...query) {
              const page = await categories.list(...query)
              return { ...page, items: page.items.filter(({ id }) => !lost.has(id)) }
            },
            async put(category, precondition) {
              lost.delete(category.id)
              return categories.put(category, precondition)
            },
          },
        }),
      }
    },
  }),
  bug(110, 'search-minds-case', kind, 'medium', 'medium', {
    wrong: 'The search for a name minds the case of letters.',
    breaks: ['decision 33', '`name` finds words ignoring case and accents.'],
    found: '`GET /pets?name=rex` of a shop with Rex.',
    make: () =>
      port('pets', (honest) => ({
        async list(query, ...others) {
          const page = await honest.list(query, ...others)
          const words = query.name?.split(/\s+/) ?? []
          return { ...page, items: page.items.filter(({ name }) => words.every((word) => name.includes(word))) }
        },
      })),
  }),
  bug(111, 'import-adds-twice', kind, 'critical', 'hard', {
    wrong: 'A retried import with the same Idempotency-Key adds all animals again.',
    breaks: ['decision 7', 'A retry with the same `Idempotency-Key` and file adds only the rows that are missing.'],
    found: 'Import a file twice with one key and count the animals.',
    make: () =>
      port('imports', (honest) => ({
        add: (pets, _step, ...others) => honest.add(pets, undefined, ...others),
        stepOf: async () => undefined,
      })),
  }),
]
