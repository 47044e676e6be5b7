import { type Check, type Subject, writes } from '../shop/check.ts'
import type { ShopRequest } from '../shop/exchange.ts'
import { expectError, expectPet, expectStatus, fail } from '../shop/expect.ts'
import { says } from './contract-sentences.ts'

/** Creates that are refused, each nearly the one that is then sent as it should be. */
function refusedForms(body: string, name: string, mark: string): [Partial<ShopRequest>, 400 | 401][] {
  const bodies = [
    body.replace('"available"', '"lost"'),
    body.replace('"available"', '1'),
    body.replace(/"categoryId":-?\d+/, '"categoryId":"1"'),
    body.replace(/"categoryId":-?\d+/, '"categoryId":1.5'),
    body.replace(/,"categoryId":-?\d+/, ''),
    body.replace(`"name":${name},`, ''),
    body.replace(`"name":${name}`, `"name":[${name}]`),
    body.slice(0, -1),
    `[${body}]`,
  ]
  return [
    ...bodies.map((one): [Partial<ShopRequest>, 400] => [{ body: one }, 400]),
    [{ authorization: null }, 401],
    [{ authorization: `Bearer no-such-key-${mark}` }, 401],
  ]
}

/** Refused twice, then added as it should be, then refused as before: neither is remembered for the other. */
async function expectAddedBetween({ shop, stock }: Subject, place: number): Promise<boolean> {
  const name = stock.newName()
  const body = await stock.bodyOf({ name: JSON.stringify(name) })
  const create = { method: 'POST', path: '/pets', body } as const
  const form = refusedForms(body, JSON.stringify(name), shop.mark)[place]
  if (form === undefined) return false
  const [change, status] = form
  const refuse = async () => expectError(await shop.send({ ...create, ...change }), status)
  await refuse()
  await refuse()
  const made = await shop.send(create)
  const pet = expectPet(made, 201)
  const { id } = await stock.category()
  if (pet.name !== name || pet.categoryId !== id || pet.status !== 'available')
    fail(made, `the animal that was sent: ${name}, category ${id}, available`)
  await refuse()
  return true
}

/** What was added for the key is not for others who send the same. */
async function expectRefusedAfter({ shop, stock }: Subject): Promise<void> {
  const create = { method: 'POST', path: '/pets', body: await stock.bodyOf({ status: '' }) } as const
  expectStatus(await shop.send(create), 201)
  for (const authorization of [null, `Bearer no-such-key-${shop.mark}`])
    expectError(await shop.send({ ...create, authorization }), 401)
}

export const afterRefusalChecks: readonly Check[] = [
  writes('C-4.2-26', {
    name: 'a create is judged by itself, also if nearly the same one was refused or added before',
    sentence: says.invalid,
    conclusion: 'What was refused before says nothing about a body: a good one is added, a bad one stays bad.',
    async run(subject) {
      for (let place = 0; await expectAddedBetween(subject, place); place++);
      await expectRefusedAfter(subject)
    },
  }),
]
