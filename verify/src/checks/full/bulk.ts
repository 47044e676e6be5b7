import { type Check, type Subject, writes } from '../../shop/check.ts'
import {
  expectHeader,
  expectMembers,
  expectObject,
  expectRefusal,
  header,
  readPet,
  sendJson,
} from '../../shop/answers.ts'
import type { Exchange } from '../../shop/exchange.ts'
import { expectPet, fail, type Pet, Skipped } from '../../shop/expect.ts'
import { int64Of, member } from '../../shop/json.ts'

const sentence = 'bulkChangePets: changes matching animals at once, by the rules of `updatePet`.'

/** Animals of this run in a category of their own. */
async function addPets({ stock }: Subject, statuses: readonly string[]): Promise<Pet[]> {
  const categoryId = String(stock.newCategoryId())
  const pets: Pet[] = []
  for (const status of statuses) pets.push((await stock.add({ categoryId, status: `"${status}"` })).pet)
  return pets
}

/**
 * Names the animals by their ids and by their category: only a shop that ignores both would change those of others. For
 * the same reason no check removes animals this way, or sends an empty filter.
 */
function filterOf(pets: readonly Pet[], more = ''): string {
  return `{"ids":[${pets.map(({ id }) => id).join()}],"categoryId":${pets[0]?.categoryId}${more}}`
}

async function bulk({ shop }: Subject, filter: string, status: string, headers = {}): Promise<Exchange> {
  const body = `{"filter":${filter},"change":{"status":"${status}"}}`
  const done = await sendJson(shop, 'POST', '/pets/bulk', body, headers)
  if ([404, 405].includes(done.response?.status ?? 0)) throw new Skipped('POST /pets/bulk is not served')
  return done
}

async function expectStatuses({ shop }: Subject, done: Exchange, pets: readonly Pet[], wanted: readonly string[]) {
  const found: (string | undefined)[] = []
  for (const { id } of pets) found.push((await readPet(shop, id))?.status)
  if (found.join() !== wanted.join()) fail(done, `animals that are then ${wanted.join(', ')}`, found.join(', '))
}

export const bulkChecks: readonly Check[] = [
  writes('F-bulk-1', {
    name: 'a bulk change changes the animals that match all members of its filter, and counts them',
    sentence,
    async run(subject) {
      const pets = await addPets(subject, ['available', 'available', 'pending'])
      const done = await bulk(subject, filterOf(pets, ',"status":"available"'), 'sold')
      expectMembers(done, expectObject(done, 200), { changed: 2n, unchanged: 0n, refused: 0n, next: undefined })
      await expectStatuses(subject, done, pets, ['sold', 'sold', 'pending'])
      const again = await bulk(subject, filterOf(pets), 'sold')
      expectMembers(again, expectObject(again, 200), { changed: 1n, unchanged: 2n, refused: 0n })
    },
  }),
  writes('F-bulk-2', {
    name: 'a bulk change refuses an animal with an open order, names it, and changes the others',
    sentence: 'bulkChangePets: an animal with an open order is refused if it would get another status.',
    async run(subject) {
      const pets = await addPets(subject, ['available', 'available'])
      const [ordered] = pets as [Pet]
      const order = `{"petId":${ordered.id},"customer":"${subject.stock.newName()}"}`
      expectObject(await sendJson(subject.shop, 'POST', '/store/orders', order), 201)
      const done = await bulk(subject, filterOf(pets), 'sold')
      const result = expectObject(done, 200)
      expectMembers(done, result, { changed: 1n, refused: 1n })
      const refusals = result['refusals']
      const ids = Array.isArray(refusals) ? refusals.map((one) => int64Of(member(one, 'id'))) : []
      if (ids.join() !== String(ordered.id)) fail(done, `a refusal of the animal ${ordered.id}`, ids.join() || 'none')
      await expectStatuses(subject, done, pets, ['pending', 'sold'])
    },
  }),
  writes('F-bulk-3', {
    name: 'a retry of a bulk change with the same Idempotency-Key changes nothing twice, another body is 422',
    sentence: 'bulkChangePets: with an `Idempotency-Key` a retry is safe.',
    async run(subject) {
      const pets = await addPets(subject, ['available'])
      const [pet] = pets as [Pet]
      const headers = { 'Idempotency-Key': subject.stock.newName() }
      expectObject(await bulk(subject, filterOf(pets), 'sold', headers), 200)
      const changed = await sendJson(subject.shop, 'PATCH', `/pets/${pet.id}`, '{"status":"available"}')
      expectPet(changed, 200)
      const again = await bulk(subject, filterOf(pets), 'sold', headers)
      expectMembers(again, expectObject(again, 200), { changed: 1n })
      expectHeader(again, 'Idempotent-Replayed', 'true')
      await expectStatuses(subject, again, pets, ['available'])
      expectRefusal(await bulk(subject, filterOf(pets), 'pending', headers), 422, 'idempotency_mismatch')
    },
  }),
  writes('F-bulk-4', {
    name: 'a member that the filter does not have is 400, and changes nothing',
    sentence: 'BulkFilter: unknown members are refused.',
    async run(subject) {
      const pets = await addPets(subject, ['available'])
      const refused = await bulk(subject, filterOf(pets, ',"statsu":"pending"'), 'sold')
      expectRefusal(refused, 400, 'invalid_body')
      if (header(refused, 'invalid-fields') !== 'filter') fail(refused, 'Invalid-Fields: filter')
      await expectStatuses(subject, refused, pets, ['available'])
    },
  }),
]
