import { type Check, writes } from '../shop/check.ts'
import type { ShopRequest } from '../shop/exchange.ts'
import { expectPet, fail, statuses } from '../shop/expect.ts'
import { says } from './contract-sentences.ts'

/** As a shop stores or writes them: of one byte and of several, with escapes, and long. */
const names = ['', ' Zoë "ß" \\ </b>', ' 日本 🐕 𝒳', ` ${'0123456789'.repeat(7)}`]
const categories = ['0', '-1', '7', '4294967296', '9007199254740993', '-9223372036854775808']

export const combinationChecks: readonly Check[] = [
  writes('C-2-22', {
    name: 'an animal is added with every category, large and small, beside every status, and names of each kind',
    sentence: says.pet,
    conclusion: 'Each field has its values, whatever the others have.',
    turn: 'many',
    async run({ shop, stock }) {
      await stock.showFew()
      const { isFree, id } = await stock.category()
      const wanted = (isFree ? categories : [String(id)]).flatMap((categoryId, row) =>
        [...statuses, undefined].flatMap((status, column) =>
          [0, 1].map((half) => {
            const end = names[(row + column + 2 * half) % names.length] ?? ''
            return { name: `${stock.newName()}${end}`, categoryId, status }
          }),
        ),
      )
      const requests: ShopRequest[] = []
      for (const { name, categoryId, status } of wanted) {
        const members = { name: JSON.stringify(name), categoryId, status: status === undefined ? '' : `"${status}"` }
        requests.push({ method: 'POST', path: '/pets', body: await stock.bodyOf(members) })
      }
      const left = [...wanted]
      for await (const made of shop.sendAll(requests)) {
        const pet = expectPet(made, 201)
        const { name, categoryId, status } = left.shift() as (typeof wanted)[number]
        const isStatus = status === undefined || pet.status === status
        if (pet.name !== name || pet.categoryId !== BigInt(categoryId) || !isStatus)
          fail(made, `the animal that was sent: ${name}, category ${categoryId}, ${status ?? 'no status'}`)
      }
      // The model compares them with their 201.
      for (const status of ['', ...statuses.map((one) => `&status=${one}`)]) await shop.list(`?limit=100${status}`)
    },
  }),
]
