import { type Check, type Subject, writes } from '../shop/check.ts'
import type { Exchange, ShopRequest } from '../shop/exchange.ts'
import { expectPet, fail } from '../shop/expect.ts'
import { says } from './contract-sentences.ts'

/** Members that the contract does not have, some of which stand for others in a careless shop. */
const otherMembers = [
  ['"extra":1', '"extra":null', '"extra":{"a":[{}]}', '"extra":[]', '"id":null', '"id":"x"', '"tags":["a"]', '"":""'],
  ['"NAME":"other"', '"Name":"other"', '"CategoryId":2', '"categoryID":2', '"category_id":2', '"category":{"id":2}'],
  [
    '"STATUS":"lost"',
    '"Status":5',
    '"state":"sold"',
    '"0":1',
    '"_id":5',
    '"type":"dog"',
    '"$ref":"#/a"',
    '"@type":"x"',
  ],
  ['"__proto__":{"a":1}', '"constructor":{"prototype":{}}', '"toString":1', '"length":3', '"hasOwnProperty":null'],
].flat()

const otherTypes = [
  ['text/plain', 'text/json', 'application/xml', 'application/x-www-form-urlencoded', 'application/octet-stream'],
  ['application/vnd.api+json', 'application/problem+json', 'application/json; charset=utf-16', 'json', '*/*'],
].flat()

/** In bytes of white space, which JSON may have. */
const paddings = [20_000, 40_000]

/** Bodies of which the contract does not say whether they are valid, each with this name and category. */
function openBodies(name: string, category: bigint): string[] {
  const members = `"name":"${name}","categoryId":${category}`
  return [
    ...otherMembers.flatMap((other) => [`{${members},${other}}`, `{${other},${members}}`]),
    `{${members},${members}}`,
    `{${members},"status":"sold","status":"sold"}`,
    `{${members},"status":null}`,
    `{${members}.0}`,
    `{${members}e0}`,
    ...['1e2', '12.0E1', '500e-2'].map((one) => `{"name":"${name}","categoryId":${one}}`),
    ...['extra', 'status'].map((one) => `{${members},"${one}":${'['.repeat(600)}${']'.repeat(600)}}`),
    ...paddings.map((length) => `{${' '.repeat(length)}${members}}`),
  ]
}

/** Added as it was sent, or refused. A server may end the connection before it has read a large body. */
function expectAddedOrRefused(made: Exchange, name: string): void {
  if (made.fault?.startsWith('reset') === true) return
  const status = made.response?.status ?? 500
  if (status >= 400 && status < 500) return
  if (expectPet(made, 201).name !== name) fail(made, `the name ${name}`)
}

export const openCreateChecks: readonly Check[] = [
  writes('C-4.2-25', {
    name: 'a create that the contract leaves open is added as it was sent, or refused, and no failure of the service',
    sentence: says.added,
    conclusion:
      'A 201 has the animal that was sent. Whether such a body is invalid is left open, and no failure of the service.',
    turn: 'many',
    async run(subject) {
      await subject.stock.showFew()
      await sendOpenCreates(subject)
    },
  }),
]

async function sendOpenCreates({ shop, stock }: Subject): Promise<void> {
  const { id } = await stock.category()
  const name = stock.newName()
  const create = { method: 'POST', path: '/pets' } as const
  const requests: ShopRequest[] = [
    ...openBodies(name, id).map((body) => ({ ...create, body })),
    ...otherTypes.map((contentType) => ({ ...create, contentType, body: `{"name":"${name}","categoryId":${id}}` })),
  ]
  for await (const made of shop.sendAll(requests)) expectAddedOrRefused(made, name)
}
