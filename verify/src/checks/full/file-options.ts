import { type Check, type Subject, writes } from '../../shop/check.ts'
import { expectAllIds, expectMembers, expectObject } from '../../shop/answers.ts'
import type { Exchange } from '../../shop/exchange.ts'
import { expectStatus, fail } from '../../shop/expect.ts'
import { newCategory } from './categories.ts'
import { expectCounts, newWord, upload, uploaded } from './files.ts'

const separators = { comma: ',', semicolon: ';', tab: '\t' }

/** An export of one animal as CSV. */
async function expectExport({ shop }: Subject, query: string, wanted: string): Promise<Exchange> {
  const file = await shop.send({ method: 'GET', path: `/pets/export?${query}` })
  expectStatus(file, 200)
  const text = file.response?.body.toString().replaceAll('\r\n', '\n')
  return text === wanted ? file : fail(file, JSON.stringify(wanted))
}

export const fileOptionChecks: readonly Check[] = [
  writes('F-files-8', {
    name: 'an imported animal names its category, in any case; an unknown name is rejected',
    sentence: 'importPets: `categoryName` is the name of a category, or differs from it only in case and accents.',
    async run(subject) {
      const [word, mark] = [newWord(subject), subject.shop.mark]
      const { id, name } = await newCategory(subject)
      const rows = [`${mark} ${word} a,${name}`, `${mark} ${word} b,${name.toUpperCase()}`, `${mark} ${word} c,${word}`]
      const { sent, result } = await upload(subject, `name,categoryName\n${rows.join('\n')}\n`)
      const pets = await uploaded(subject, word)
      expectCounts(sent, result, 2n, 1n)
      if (pets.some(({ categoryId }) => categoryId !== id)) fail(sent, `animals of the category ${id}`)
    },
  }),
  writes('F-files-9', {
    name: 'create-categories=true makes a category that a file names, once',
    sentence: 'create-categories: categories that the file names and the shop lacks are made, each once.',
    async run(subject) {
      const [word, mark] = [newWord(subject), subject.shop.mark]
      const name = `${mark} ${newWord(subject)}`
      const body = `name,categoryName\n${mark} ${word} a,${name}\n${mark} ${word} b,${name}\n`
      const { sent, result } = await upload(subject, body, { query: '?create-categories=true' })
      const pets = await uploaded(subject, word)
      expectCounts(sent, result, 2n, 0n)
      const ids = new Set(pets.map(({ categoryId }) => categoryId))
      if (ids.size !== 1) fail(sent, 'animals of one category')
      const category = await subject.shop.send({ method: 'GET', path: `/categories/${[...ids].join()}` })
      expectMembers(category, expectObject(category, 200), { name })
    },
  }),
  writes('F-files-10', {
    name: 'dry-run=true says what an import would do, and stores nothing, not even its Idempotency-Key',
    sentence: 'dry-run: with `true` nothing is stored. An `Idempotency-Key` is not used, and may be sent again.',
    async run(subject) {
      const [word, categoryWord, mark] = [newWord(subject), newWord(subject), subject.shop.mark]
      const name = `${mark} ${categoryWord}`
      const body = `name,categoryName\n${mark} ${word} a,${name}\n`
      const headers = { 'Idempotency-Key': word }
      const query = '?create-categories=true'
      const { sent, result } = await upload(subject, body, { query: `${query}&dry-run=true`, headers })
      await uploaded(subject, word)
      expectCounts(sent, result, 1n, 0n)
      if (JSON.stringify(result['newCategories']) !== JSON.stringify([name])) fail(sent, `newCategories: ${name}`)
      await expectAllIds(subject.shop, `/pets?name=${word}`, [])
      await expectAllIds(subject.shop, `/categories?name=${categoryWord}`, [])
      const real = await upload(subject, body, { query, headers })
      const pets = await uploaded(subject, word)
      expectCounts(real.sent, real.result, 1n, 0n)
      if (pets.length !== 1) fail(real.sent, 'one animal', `${pets.length} animals`)
    },
  }),
  writes('F-files-11', {
    name: 'an export for a spreadsheet begins with a byte order mark and names the categories',
    sentence: 'spreadsheet: a CSV file begins with a byte order mark and has a last column `categoryName`.',
    async run(subject) {
      const { id, name } = await newCategory(subject)
      const { pet } = await subject.stock.add({ categoryId: String(id), status: '' })
      const wanted = `\ufeffid,name,categoryId,status,categoryName\n${pet.id},${pet.name},${id},,${name}\n`
      await expectExport(subject, `id=${pet.id}&spreadsheet=true`, wanted)
    },
  }),
  writes('F-files-12', {
    name: 'the columns of a file are separated by comma, semicolon or tab, in both directions',
    sentence: 'separator: what separates the columns of a CSV file. importPets finds it from the header line.',
    async run(subject) {
      const [word, mark] = [newWord(subject), subject.shop.mark]
      for (const [name, separator] of Object.entries(separators)) {
        const known = new Set(subject.shop.createdIds)
        const rows = [
          ['name', 'categoryId', 'status'],
          [`${mark} ${word} ${name}`, '7', 'sold'],
        ]
        const { sent, result } = await upload(subject, rows.map((row) => `${row.join(separator)}\n`).join(''))
        const pets = await uploaded(subject, word)
        expectCounts(sent, result, 1n, 0n)
        const pet = pets.find(({ id }) => !known.has(id)) ?? fail(sent, 'a new animal')
        const exported = [
          ['id', ...(rows[0] ?? [])],
          [String(pet.id), ...(rows[1] ?? [])],
        ]
        const wanted = exported.map((row) => `${row.join(separator)}\n`).join('')
        await expectExport(subject, `id=${pet.id}&separator=${name}`, wanted)
      }
    },
  }),
]
