import { type Check, type Subject, writes } from '../../shop/check.ts'
import { expectAllIds, expectHeader, expectMembers, expectObject, expectRefusal } from '../../shop/answers.ts'
import type { Exchange } from '../../shop/exchange.ts'
import { expectPets, expectStatus, fail, type Pet } from '../../shop/expect.ts'
import { int64Of, type JsonObject, member } from '../../shop/json.ts'

const importSentence = 'importPets: adds animals by the rules of `createPet`; invalid rows are reported and skipped.'
const exportSentence = 'exportPets: returns all matching animals, ascending by id, as a file that `importPets` takes.'

/** A word that the names of one file have, and no others. */
export function newWord({ stock }: Subject): string {
  return stock.newName().replaceAll('-', 'x')
}

export async function upload(
  { shop }: Subject,
  body: string,
  {
    contentType = 'text/csv',
    query = '',
    headers = {},
  }: { contentType?: string; query?: string; headers?: Record<string, string> } = {},
): Promise<{ sent: Exchange; result: JsonObject }> {
  const sent = await shop.send({ method: 'POST', path: `/pets/import${query}`, body, contentType, headers })
  return { sent, result: expectObject(sent, 200) }
}

/** The animals of a file. From now on they are known, and removed at the end. */
export async function uploaded({ shop }: Subject, word: string): Promise<Pet[]> {
  const pets = expectPets(await shop.list(`?limit=100&name=${word}`))
  shop.found(pets.map(({ id }) => id))
  return pets
}

export function expectCounts(sent: Exchange, result: JsonObject, added: bigint, rejected: bigint): void {
  expectMembers(sent, result, { added, rejected })
}

export const fileChecks: readonly Check[] = [
  writes('F-files-1', {
    name: 'a CSV file adds its valid rows and reports the others with their lines',
    sentence: importSentence,
    async run(subject) {
      const [word, mark] = [newWord(subject), subject.shop.mark]
      const rows = [`"${mark} ${word}, ""a""",7,SOLD`, `${mark} ${word} b,x,`, `${mark} ${word} c,8,`]
      const { sent, result } = await upload(subject, `name,categoryId,status\n${rows.join('\n')}\n`)
      const pets = await uploaded(subject, word)
      expectCounts(sent, result, 2n, 1n)
      const rejects = result['rejects']
      if (!Array.isArray(rejects) || int64Of(member(rejects[0], 'line')) !== 3n) fail(sent, 'the line 3 in rejects')
      const shown = pets.map(({ name, categoryId, status }) => `${name}|${categoryId}|${status ?? ''}`).join('; ')
      const wanted = `${mark} ${word}, "a"|7|sold; ${mark} ${word} c|8|`
      if (shown !== wanted) fail(await subject.shop.list(`?name=${word}`), wanted, shown)
    },
  }),
  writes('F-files-2', {
    name: 'a file of JSON lines is added',
    sentence: importSentence,
    async run(subject) {
      const [word, mark] = [newWord(subject), subject.shop.mark]
      const body = `{"name":"${mark} ${word}","categoryId":9007199254740993}\n`
      const { sent, result } = await upload(subject, body, { contentType: 'application/x-ndjson' })
      const pets = await uploaded(subject, word)
      expectCounts(sent, result, 1n, 0n)
      if (pets[0]?.categoryId !== 9007199254740993n) fail(sent, 'an animal of the category 9007199254740993')
    },
  }),
  writes('F-files-3', {
    name: 'mode=all-or-nothing adds nothing if a row is rejected',
    sentence: 'mode: with `all-or-nothing` no animal is added if one row is rejected.',
    async run(subject) {
      const [word, mark] = [newWord(subject), subject.shop.mark]
      const body = `name,categoryId\n${mark} ${word} a,7\n${mark} ${word} b,x\n`
      const { sent, result } = await upload(subject, body, { query: '?mode=all-or-nothing' })
      await uploaded(subject, word)
      expectCounts(sent, result, 0n, 1n)
      await expectAllIds(subject.shop, `/pets?name=${word}`, [])
    },
  }),
  writes('F-files-4', {
    name: 'a retry with the same Idempotency-Key adds nothing twice, another file is 422',
    sentence: 'importPets: with an `Idempotency-Key` a retry with the same file is safe.',
    async run(subject) {
      const [word, mark] = [newWord(subject), subject.shop.mark]
      const headers = { 'Idempotency-Key': word }
      const body = `name,categoryId\n${mark} ${word} a,7\n`
      await upload(subject, body, { headers })
      const again = await upload(subject, body, { headers })
      const pets = await uploaded(subject, word)
      expectCounts(again.sent, again.result, 1n, 0n)
      if (pets.length !== 1) fail(await subject.shop.list(`?name=${word}`), 'one animal', `${pets.length} animals`)
      const other = await subject.shop.send({
        ...again.sent.request,
        body: `name,categoryId\n${mark} ${word} b,7\n`,
      })
      expectRefusal(other, 422, 'idempotency_mismatch')
    },
  }),
  writes('F-files-5', {
    name: 'a file of another media type is 415',
    sentence: 'importPets: `text/csv` or `application/x-ndjson`.',
    async run({ shop }) {
      const refused = await shop.send({
        method: 'POST',
        path: '/pets/import',
        body: '[]',
        contentType: 'application/json',
      })
      expectRefusal(refused, 415, 'unsupported_media_type')
    },
  }),
  writes('F-files-6', {
    name: 'a CSV export has a header and the matching animals, quoted where needed',
    sentence: exportSentence,
    async run({ shop, stock }) {
      const { pet } = await stock.add({ name: JSON.stringify(`${stock.newName()}, "a"\nb`), status: '' })
      const file = await shop.send({ method: 'GET', path: `/pets/export?id=${pet.id}` })
      expectStatus(file, 200)
      expectHeader(file, 'Content-Type', /^text\/csv/)
      expectHeader(file, 'Content-Disposition', /attachment/)
      const wanted = `id,name,categoryId,status\n${pet.id},"${pet.name.replaceAll('"', '""')}",${pet.categoryId},\n`
      if (file.response?.body.toString().replaceAll('\r\n', '\n') !== wanted) fail(file, JSON.stringify(wanted))
    },
  }),
  writes('F-files-7', {
    name: 'an export as JSON lines has all animals that match, ascending by id',
    sentence: exportSentence,
    async run({ shop, stock }) {
      const categoryId = String(stock.newCategoryId())
      const ids: bigint[] = []
      for (let count = 0; count < 3; count++) ids.push((await stock.add({ categoryId })).pet.id)
      const file = await shop.send({ method: 'GET', path: `/pets/export?format=ndjson&categoryId=${categoryId}` })
      expectStatus(file, 200)
      expectHeader(file, 'Content-Type', /^application\/x-ndjson/)
      const found = [...(file.response?.body.toString() ?? '').matchAll(/^\{"id":(\d+),.*\}$/gm)].map(([, id]) => id)
      if (found.join() !== ids.join()) fail(file, `the animals ${ids.join(', ')}`)
    },
  }),
]
