import { type Check, reads, type Subject } from '../shop/check.ts'
import type { Exchange } from '../shop/exchange.ts'
import { expectError, expectJsonType, expectPet, expectStatus, fail, type Pet, petOf, Skipped } from '../shop/expect.ts'
import { says } from './contract-sentences.ts'
import { isBeforeRemoval, skipAfterRemoval, unknownId } from './removal.ts'

/** Others may change an animal between two requests. */
const maxAttempts = 3
/** Animals that are read before the clean-up. */
const maxReadAnimals = 60

/** Animals that are read at the same time. */
const maxTogether = 12

/** Categories and places in a list that are read as ids. */
const maxReadCategories = 12

/** Animals of others that are read. */
const maxReadListed = 8

/** Numbers of 64 bits that no shop gives to an animal, or hardly ever. A shop may count from either end: see the list. */
const rareIds = ['0', '-1', '2147483648', '9007199254740993', '999999999999']
/** Integers of every length. */
const longIds = Array.from('7351926480715392648', (_, index) => '7351926480715392648'.slice(0, index + 1))

/** An animal of the shop, and what a request for its id returns. */
async function getAny(subject: Subject): Promise<{ pet: Pet; got: Exchange }> {
  skipAfterRemoval(subject)
  const { shop, stock } = subject
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const pet = await stock.anyPet()
    const got = await shop.settled(
      () => shop.get(pet.id),
      ({ response }) => response?.status === 200,
    )
    if (isSame(petOf(got), pet) || (await stock.isUnchanged(pet))) return { pet, got }
  }
  throw new Skipped('others change the animals of the shop')
}

function isSame(found: Pet | undefined, { id, name, categoryId, status }: Pet): boolean {
  return found?.id === id && found.name === name && found.categoryId === categoryId && found.status === status
}

export const getChecks: readonly Check[] = [
  reads('C-4.3-1', {
    name: 'an animal of the shop is 200 by its id',
    sentence: says.requested,
    isDue: isBeforeRemoval,
    async run(subject) {
      expectStatus((await getAny(subject)).got, 200)
    },
  }),
  reads('C-4.3-2', {
    name: 'the animal has the id that was asked for, and the members it has elsewhere',
    sentence: says.requested,
    conclusion: 'It has the id that was asked for, and no operation of the contract changes an animal.',
    isDue: isBeforeRemoval,
    async run(subject) {
      const { pet, got } = await getAny(subject)
      if (got.response?.status !== 200) throw new Skipped('no animal could be fetched by its id')
      if (!isSame(expectPet(got, 200), pet))
        fail(got, `the animal ${pet.id}: ${pet.name}, category ${pet.categoryId}, ${pet.status ?? 'no status'}`)
      await readListed(subject)
      // The model compares each with its 201. The clean-up reads them all once more.
      for (const id of [...subject.shop.createdIds].slice(0, maxReadAnimals)) await subject.shop.get(id)
    },
  }),
  reads('C-4.3-3', {
    name: 'an id that no animal has is 404',
    sentence: '404 | Error | The requested resource could not be found.',
    isDue: isBeforeRemoval,
    turn: 'refused',
    async run(subject) {
      skipAfterRemoval(subject)
      const { shop } = subject
      expectStatus(await shop.get(unknownId), 404)
      const listedPets = await readRare(subject)
      const { id } = await subject.stock.aPet()
      for (const bits of [8n, 16n, 31n, 32n, 53n, 62n]) await shop.get(BigInt.asIntN(64, id + 2n ** bits))
      const categories = [shop.markCategory, ...listedPets.map((pet) => pet.categoryId)].slice(0, maxReadCategories)
      const places = [1, 2, 3, 4, listedPets.length - 1, listedPets.length, listedPets.length + 1]
      const others = [-id, ...categories, ...places, ...longIds, ...longIds.map((digits) => `-${digits}`)]
      const requests = others.map((one) => ({ method: 'GET', path: `/pets/${one}` }) as const)
      for await (const got of shop.sendAll(requests)) if (got.response === undefined) fail(got, 'a response')
    },
  }),
  reads('C-4.3-5', {
    name: 'animals that are read at the same time are each the one that was asked for',
    sentence: says.requested,
    conclusion: 'Another one is not the requested animal, whatever is asked at the same time.',
    isDue: isBeforeRemoval,
    async run(subject) {
      skipAfterRemoval(subject)
      const ids = await severalIds(subject)
      if (ids.length < 2) throw new Skipped('the shop shows too few animals')
      for (const order of ordersOf(ids)) await readTogether(order, subject)
    },
  }),
  reads('C-4.3-4', {
    name: 'an id that is no int64 is no failure of the service, and an error has its form',
    sentence: 'Path parameter: `petId`, integer (int64), required: the identifier of the animal.',
    conclusion:
      'No animal has such an id, and what the service answers is an error of the client in the form of section 7.',
    isDue: isBeforeRemoval,
    async run(subject) {
      skipAfterRemoval(subject)
      const { id } = await subject.stock.aPet()
      const tooLarge = [id + 2n ** 64n, id - 2n ** 64n, 2n ** 63n, -(2n ** 63n) - 1n, 2n ** 64n, BigInt('9'.repeat(40))]
      const marks = ['%22a%22', '%5C', '%3Cb%3E', '%25s', '%E6%97%A5', 'a%20b']
      for (const text of [...tooLarge.map(String), 'abc', `${id}abc`, `${id}.5`, 'null', ...marks]) {
        const got = await subject.shop.get(text)
        const status = got.response?.status ?? 500
        if (/^-?\d+$/.test(text) && petOf(got) !== undefined && status === 200) fail(got, 'no animal')
        if (status >= 500) fail(got, 'no failure of the service')
        if ([400, 401, 404].includes(status)) expectError(got, status)
        if ([400, 401, 404].includes(status)) expectJsonType(got)
      }
    },
  }),
]

/**
 * The shop may have animals of these ids, and more animals than a page. If a page has all, the model judges those that
 * are found again and again, and never listed. Returns the listed animals.
 */
async function readRare({ shop, stock }: Subject): Promise<Pet[]> {
  let listedPets = await stock.listed()
  let ids: readonly string[] = rareIds
  for (let round = 0; ; round++) {
    const found: string[] = []
    for (const id of ids) {
      const got = await shop.get(id)
      if (got.response?.status !== 200) expectStatus(got, 404)
      else if (!listedPets.some((pet) => String(pet.id) === id)) found.push(id)
    }
    if (found.length === 0 || round === maxAttempts || listedPets.length === 100) return listedPets
    ids = found
    await shop.settle(performance.now())
    listedPets = await stock.listed()
  }
}

/** Of animals that this run added, or that the shop shows. */
async function severalIds({ shop, stock }: Subject): Promise<bigint[]> {
  if (!shop.options.readOnly) await stock.fill()
  const own = [...shop.createdIds]
  const ids = own.length > 1 ? own : (await stock.listed()).map(({ id }) => id)
  return ids.toSorted((a, b) => Number(a - b)).slice(-maxTogether)
}

/** Downwards, and from both ends with some of them twice: a shop must not sort them, nor answer one for another. */
function ordersOf(ids: readonly bigint[]): bigint[][] {
  const down = ids.toReversed()
  const fromBothEnds = down.flatMap((id, index) => [id, ids[index] as bigint])
  return [down, fromBothEnds.slice(0, maxTogether), [...down.slice(0, 4), ...ids.slice(0, 4), ...down.slice(0, 4)]]
}

/** Each with its own response, those that are refused too. The model compares each animal with its 201. */
async function readTogether(ids: readonly bigint[], { shop }: Subject): Promise<void> {
  const get = (id: bigint | string) => ({ method: 'GET' as const, path: `/pets/${id}` })
  const others = [get(unknownId), { ...get(ids[0] as bigint), authorization: null }]
  const requests = ids.map(get)
  requests.splice(2, 0, ...others)
  const gots = await shop.sendTogether(requests)
  const [missing, refused] = gots.splice(2, 2) as [Exchange, Exchange]
  expectError(missing, 404)
  expectError(refused, 401)
  for (const [index, got] of gots.entries())
    if (got.response?.status !== 404 && expectPet(got, 200).id !== ids[index]) fail(got, `the animal ${ids[index]}`)
}

/**
 * Animals of others are the same in a list and by their id, if the list shows the same before and after. Others may just
 * have added or changed them: those that differ are read again when they have had their time to be seen.
 */
async function readListed({ shop, stock }: Subject): Promise<void> {
  let listedPets = (await stock.listed()).filter(({ id }) => !shop.createdIds.has(id)).slice(0, maxReadListed)
  for (let attempt = 1; listedPets.length > 0; attempt++) {
    const reads: Exchange[] = []
    for (const { id } of listedPets) reads.push(await shop.get(id))
    const after = await stock.listed()
    const isOther = (pet: Pet, index: number) =>
      !isSame(petOf(reads[index] as Exchange), pet) && after.some((one) => isSame(one, pet))
    const different = listedPets.filter(isOther)
    const [pet] = different
    if (pet === undefined) return
    const got = reads[listedPets.indexOf(pet)] as Exchange
    if (attempt === maxAttempts) fail(got, `the animal ${pet.id}: ${pet.name}, as in the list`)
    await shop.settle(performance.now())
    const ids = new Set(different.map(({ id }) => id))
    listedPets = (await stock.listed()).filter(({ id }) => ids.has(id))
  }
}

export const versionChecks: readonly Check[] = [
  reads('C-9-1', {
    name: 'from 5 December 2030 on, no animal is found by its id',
    sentence: '`GET /pets/{petId}` is deprecated and is removed on 5 December 2030.',
    isDue: (now) => !isBeforeRemoval(now),
    async run({ shop, stock }) {
      if (isBeforeRemoval(shop.options.clock())) throw new Skipped('the contract removes getPet on 5 December 2030')
      const got = await shop.get((await stock.anyPet()).id)
      if (got.response === undefined || got.response.status < 400) fail(got, 'an error, as for an unknown operation')
    },
  }),
]
