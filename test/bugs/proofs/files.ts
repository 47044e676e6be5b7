import { type Proof, type ProofShop, textOf } from './proof.ts'

const importCsv = (query: string, text: string) => async (shop: ProofShop) => {
  const { body } = await shop.send(`POST /pets/import${query}`, text, { 'content-type': 'text/csv' })
  const { added, rejected } = body as { added: number; rejected: number }
  return { added, rejected }
}

const firstLine = (path: string) => async (shop: ProofShop) => (await textOf(path)(shop)).split('\n')[0]

/** Imports and exports. */
export const fileProofs: Record<string, Proof> = {
  'category-name-minds-case': {
    run: importCsv('', 'name,categoryName\nMax,Dogs\nTom,dOGS\n'),
    right: { added: 2, rejected: 0 },
    wrong: { added: 1, rejected: 1 },
  },
  'create-categories-ignored': {
    run: importCsv('?create-categories=true', 'name,categoryName\nMax,Hamsters\n'),
    right: { added: 1, rejected: 0 },
    wrong: { added: 0, rejected: 1 },
  },
  'dry-run-stores': {
    async run(shop) {
      await importCsv('?dry-run=true', 'name,categoryId\nMax,1\n')(shop)
      return ((await shop.send('/pets?name=Max')).body as object[]).length
    },
    right: 0,
    wrong: 1,
  },
  'spreadsheet-ignored': {
    run: firstLine('/pets/export?id=1&spreadsheet=true'),
    right: 'id,name,categoryId,status,categoryName',
    wrong: 'id,name,categoryId,status',
  },
  'separator-ignored': {
    run: firstLine('/pets/export?id=1&separator=tab'),
    right: 'id\tname\tcategoryId\tstatus',
    wrong: 'id,name,categoryId,status',
  },
}
