import { type Check, reads, writes } from '../shop/check.ts'
import { expectArray, fail, statuses } from '../shop/expect.ts'
import { int64Of, type Json, JsonNumber, member } from '../shop/json.ts'
import { says } from './contract-sentences.ts'

export const resourceChecks: readonly Check[] = [
  reads('C-1-1', {
    name: 'the base address ends in /v1',
    sentence: 'Both base addresses end in the version segment `/v1`.',
    async run({ shop }) {
      const { pathname } = shop.options.url
      if (!/\/v1\/?$/.test(pathname)) fail(undefined, 'a base address that ends in /v1', `the path ${pathname}`)
    },
  }),
  reads('C-2-1', {
    name: 'every listed animal has an id, a name and a categoryId of their types',
    sentence: says.pet,
    conclusion: 'An animal has an id, a name and a categoryId, which are required, each of its type.',
    async run({ shop, stock }) {
      await stock.fill()
      const list = await shop.list('?limit=100')
      for (const pet of expectArray(list)) {
        if (int64Of(member(pet, 'id')) === undefined) fail(list, 'each animal to have an id that is an int64')
        if (typeof member(pet, 'name') !== 'string') fail(list, 'each animal to have a name that is a string')
        if (int64Of(member(pet, 'categoryId')) === undefined)
          fail(list, 'each animal to have a categoryId that is an int64')
      }
    },
  }),
  reads('C-2-2', {
    name: 'the status of a listed animal is available, pending or sold, if it has one',
    sentence: says.statuses,
    async run({ shop, stock }) {
      await stock.fill()
      const list = await shop.list('?limit=100')
      for (const pet of expectArray(list)) {
        const status = member(pet, 'status')
        if (status !== undefined && status !== null && !(statuses as readonly Json[]).includes(status))
          fail(list, 'each status to be available, pending or sold', `the status ${show(status)}`)
      }
    },
  }),
  reads('C-2-3', {
    name: 'no id is in a list twice',
    sentence: says.uniqueId,
    conclusion: 'An id that a list has twice does not name one animal.',
    async run({ shop, stock }) {
      await stock.fill()
      const list = await shop.list('?limit=100')
      const ids = expectArray(list).map((pet) => int64Of(member(pet, 'id')))
      const twice = ids.find((id, index) => id !== undefined && ids.indexOf(id) !== index)
      if (twice !== undefined) fail(list, 'each id once', `the id ${twice} twice`)
    },
  }),
  writes('C-2-4', {
    name: 'every new animal gets an id that no other animal has',
    sentence: says.uniqueId,
    async run({ shop, stock }) {
      // The model compares the ids: those of animals that others have removed may come again.
      await shop.list('?limit=100')
      for (let count = 0; count < 3; count++) await stock.add()
    },
  }),
  writes('C-2-12', {
    name: 'an animal is the same in its 201 and in every list',
    sentence: says.pet,
    conclusion: 'A create and a list return the same Pet, and no operation of the contract changes one.',
    unjudged: 'no list has shown an animal that was added',
    async run({ shop, stock }) {
      await stock.fill()
      await shop.list('?limit=100')
    },
  }),
]

function show(value: Json): string {
  return value instanceof JsonNumber ? value.source : JSON.stringify(value)
}
