import { type Check, writes } from '../shop/check.ts'
import type { Exchange } from '../shop/exchange.ts'
import { Broken, expectPet, expectStatus, fail, Skipped, statuses } from '../shop/expect.ts'
import { says } from './contract-sentences.ts'
import { readBetween } from './read-between.ts'

export const createChecks: readonly Check[] = [
  writes('C-4.2-1', {
    name: 'an animal with name, categoryId and status is added: 201',
    sentence: says.added,
    async run({ shop, stock }) {
      expectStatus(await shop.create(await stock.bodyOf()), 201)
    },
  }),
  writes('C-4.2-2', {
    name: 'the 201 has the animal that was sent, and its id',
    sentence: says.added,
    conclusion: 'A Pet has all fields of NewPet (section 2): those that were sent.',
    async run({ shop, stock }) {
      const name = stock.newName()
      const made = await shop.create(await stock.bodyOf({ name: JSON.stringify(name), status: '"sold"' }))
      const pet = expectPet(made, 201)
      const { id: categoryId } = await stock.category()
      if (pet.name !== name || pet.categoryId !== categoryId || pet.status !== 'sold')
        fail(made, `the name ${name}, the categoryId ${categoryId} and the status sold`)
    },
  }),
  writes('C-4.2-3', {
    name: 'an animal without a status is added, and its status is not that of another',
    sentence: says.required,
    conclusion: 'A status may be left out, and then it is not taken from another animal.',
    async run({ shop, stock }) {
      const made: Exchange[] = []
      // After one of each status: a status must not be that of the animal before.
      for (const status of statuses) {
        await shop.create(await stock.bodyOf({ status: `"${status}"` }))
        made.push(await shop.create(await stock.bodyOf({ status: '' })))
      }
      const [first, ...others] = made.map((one) => expectPet(one, 201).status)
      const other = others.findIndex((status) => status !== first)
      if (other !== -1) fail(made[other + 1], `${first ?? 'no status'}, as in the create before`)
    },
  }),
  ...statuses.map((status, index) =>
    writes(`C-4.2-${4 + index}`, {
      name: `an animal that is ${status} is added and returned so`,
      sentence: says.newPet,
      conclusion: 'A NewPet has one of three statuses, and the Pet has all fields of NewPet (section 2).',
      async run({ shop, stock }) {
        const made = await shop.create(await stock.bodyOf({ status: `"${status}"` }))
        if (expectPet(made, 201).status !== status) fail(made, `the status ${status}`)
      },
    }),
  ),
  writes('C-4.2-16', {
    name: 'a create adds one animal, once',
    sentence: says.added,
    conclusion: 'One create adds one animal.',
    unjudged: 'no animal could be added',
    async run(subject) {
      const { stock } = subject
      const { pet: before } = await stock.add()
      for (const status of statuses) await stock.add({ status: `"${status}"` })
      const { pet: after } = await stock.add({ status: '' })
      await readBetween(before.id, after.id, subject)
    },
  }),
  writes('C-4.2-17', {
    name: 'two animals may have the same name and the same category',
    sentence: says.added,
    conclusion: 'Only the id is unique (section 2): a name and a category may come again.',
    async run({ shop, stock }) {
      const body = await stock.bodyOf()
      const [made, second] = [await shop.create(body), await shop.create(body)]
      const { id } = expectPet(made, 201)
      if (second.response?.status !== 201) throw new Broken(second, 'the status 201, as before', undefined, made)
      if (expectPet(second, 201).id === id) throw new Broken(second, 'an id of its own', undefined, made)
      // The model compares their ids.
      const create = { method: 'POST', path: '/pets', body } as const
      for (const one of await shop.sendTogether(Array.from({ length: 6 }, () => create))) expectPet(one, 201)
    },
  }),
  writes('C-4.2-18', {
    name: 'the order of members and the white space between them do not matter',
    sentence: says.newPet,
    conclusion:
      'Members of JSON have no order, and white space between them says nothing (RFC 8259, sections 2 and 4).',
    async run({ shop, stock }) {
      const { id } = await stock.category()
      const [first, second, third] = [stock.newName(), stock.newName(), stock.newName()]
      for (const [name, body] of [
        [first, `{"status":"sold","categoryId":${id},"name":"${first}"}`],
        [second, `\n{\t"categoryId" : ${id} ,\r\n "name" : "${escaped(second)}"\n}\n`],
        [`${third} 🐕 é/`, `{"name":"${third} \\ud83d\\udc15 \\u00E9\\/","categoryId":${id}}`],
      ] as const) {
        const made = await shop.create(body)
        if (expectPet(made, 201).name !== name) fail(made, `the name ${name}`)
      }
    },
  }),
  writes('C-4.2-19', {
    name: 'an id in a create does not become the id of the animal',
    sentence: says.added,
    conclusion: 'The service assigns the id, so a client does not.',
    async run({ shop, stock }) {
      const { pet } = await stock.add()
      for (const id of [pet.id, 6407151883362954197n]) {
        const made = await shop.create((await stock.bodyOf()).replace('{', `{"id":${id},`))
        if (made.response?.status === 400) throw new Skipped('the shop refuses members that the contract does not have')
        if (expectPet(made, 201).id === id) fail(made, 'an id that the service has assigned')
      }
    },
  }),
]

/** The same text, each character as an escape. */
function escaped(text: string): string {
  return text.replaceAll(/./g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
