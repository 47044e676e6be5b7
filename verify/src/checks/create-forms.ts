import { type Check, type Subject, writes } from '../shop/check.ts'
import type { Exchange } from '../shop/exchange.ts'
import { expectError, expectPet, fail, type Pet, statuses } from '../shop/expect.ts'
import { says } from './contract-sentences.ts'

// An empty text leaves the member out.
const names = ['', 'null', '5', 'true', '[]', '{}', '["Rex"]']
const categories = ['', 'null', '"1"', '1.5', 'true', '[]', '{}', '9223372036854775808', '-1e300', '""']
const statusTexts = ['"lost"', '"Sold"', '""', '0', 'false', '["sold"]', '{"status":"sold"}', '"available "']

type Members = { name?: string; categoryId?: string; status?: string }

/** Every two invalid values of different members, and each one beside a status of each kind. */
function invalidMembers(mark: string): Members[] {
  // An animal that is added by mistake must be known again.
  const markedNames = ['', `["${mark}"]`, `{"first":"${mark}"}`]
  const ofStatus = ['"available"', '"pending"', '"sold"', '']
  return [
    ...markedNames.flatMap((name) => categories.map((categoryId) => ({ name, categoryId, status: '' }))),
    ...names.flatMap((name) => statusTexts.map((status) => ({ name, status }))),
    ...categories.flatMap((categoryId) => statusTexts.map((status) => ({ categoryId, status }))),
    ...names.flatMap((name) => ofStatus.map((status) => ({ name, status }))),
    ...categories.flatMap((categoryId) => ofStatus.map((status) => ({ categoryId, status }))),
    ...statusTexts.map((status) => ({ status })),
  ]
}

/** Words that are nearly one of the three. */
const nearlyStatuses = statuses.flatMap((status) => {
  const [first = '', last = ''] = [status[0], status.at(-1)]
  return [
    Array.from({ length: status.length - 1 }, (_, index) => status.slice(0, index + 1)),
    [status.slice(1), `${status}s`, `${status}${last}`, `${first}${status}`, `un${status}`, `${status}\\u0000`],
    [status.toUpperCase(), `${first.toUpperCase()}${status.slice(1)}`, `${status.slice(0, -1)}${last.toUpperCase()}`],
    [status.replace('s', '\u017f').replace('a', '\uff41').replace('p', '\uff50')],
    [` ${status}`, `${status} `, `${status}\\n`, `\\t${status}`, `${status},`, `'${status}'`, `${status}\\u200b`],
    [`${status},${status}`, `${status}|`, `${status.slice(0, -1)}%`, `${status.slice(0, -1)}_`, `.*${status}.*`],
  ].flat()
})

/** What is no JSON, though a careless reader takes it for an animal. */
function almostJson(name: string, category: bigint): string[] {
  const rest = `"categoryId":${category}`
  return [
    `{'name':'${name}','categoryId':${category}}`,
    `{name:"${name}",categoryId:${category}}`,
    `{"name":"${name}" ${rest}}`,
    `{"name":"${name}";${rest}}`,
    `{"name"="${name}",${rest}}`,
    `{"name":"${name}","categoryId":0${category}}`,
    `{"name":"${name}","categoryId":+${category}}`,
    `{"name":"${name}","categoryId":0x10}`,
    `{"name":"${name}","categoryId":1.}`,
    `{"name":"${name}","categoryId":}`,
    `{"name":"${name}","categoryId":NaN}`,
    `{"name":"${name}","categoryId":Infinity}`,
    `{"name":"${name}","categoryId":-}`,
    `{"name":"${name}","categoryId":True}`,
    `{"name":"${name}",${rest}]`,
    `["name":"${name}",${rest}]`,
    `{"name":"${name}",${rest}}}`,
    `{"name":"${name},${rest}}`,
    `name: ${name}\ncategoryId: ${category}\n`,
    `name=${name}&categoryId=${category}`,
    `{"name":"${name}",,${rest}}`,
    `{,"name":"${name}",${rest}}`,
    `{"name":"${name}",${rest},"status"}`,
    `{"name":"${name}",${rest} 2}`,
    `{"name":"${name}" "x",${rest}}`,
    `{"name":\`${name}\`,${rest}}`,
    `{"name":"${name}","categoryId":1_000}`,
    `{"name":"${name}","categoryId":${category}n}`,
    `{"name":"${name}","categoryId":${category}L}`,
    `{"name":"${name}","categoryId":--1}`,
    `{"name":"${name}","categoryId":- 1}`,
    `{"name":"${name}","categoryId":\u0661}`,
    `{"name":"${name}","categoryId":1e}`,
    `{"name":"${name}",${rest}},`,
    `{"name":"${name}",${rest}};`,
    `{"name":"${name}",${rest}}\n{"name":"${name}",${rest}}`,
    `)]}',\n{"name":"${name}",${rest}}`,
    `callback({"name":"${name}",${rest}})`,
    `\u00a0{"name":"${name}",${rest}}`,
    `({"name":"${name}",${rest}})`,
    `<pet><name>${name}</name><categoryId>${category}</categoryId></pet>`,
  ]
}

async function expectAllRefused({ shop }: Subject, bodies: readonly string[]): Promise<void> {
  const requests = bodies.map((body) => ({ method: 'POST', path: '/pets', body }) as const)
  for await (const exchange of shop.sendAll(requests)) expectError(exchange, 400)
}

async function bodiesOf({ shop, stock }: Subject, all: readonly Members[]): Promise<string[]> {
  const usual = { categoryId: String(shop.markCategory) }
  return Promise.all(all.map((members) => stock.bodyOf({ ...usual, ...members })))
}

/** In every order. */
function permutations(parts: readonly string[]): string[][] {
  if (parts.length < 2) return [[...parts]]
  return parts.flatMap((part, index) => permutations(parts.toSpliced(index, 1)).map((rest) => [part, ...rest]))
}

/** The animal that was sent, whatever the text looked like. */
function expectSent(made: Exchange, wanted: Omit<Pet, 'id'>): void {
  const { name, categoryId, status } = expectPet(made, 201)
  if (name !== wanted.name || categoryId !== wanted.categoryId || status !== wanted.status)
    fail(made, `the animal that was sent: ${wanted.name}, category ${wanted.categoryId}, ${wanted.status}`)
}

/** Forms of white space and escapes in which the same members may come. */
const layouts: ((body: string) => string)[] = [
  (body) => body.replaceAll(/[{,]/g, '$&\n  ').replaceAll(':', ': ').replace('}', '\n}'),
  (body) => `${body.replaceAll(/[{,]/g, '$&\n\t').replace('}', '\n}')}\n`,
  (body) => `\r\n ${body.replaceAll(',', ',\r\n')}\r\n`,
  (body) => body.replaceAll(/[:,{}]/g, '\n\t$&\r '),
  (body) => body.replace('"name"', String.raw`"n\u0061me"`).replace('"status"', String.raw`"\u0073tatus"`),
  (body) => body.replace('"available"', String.raw`"\u0061vail\u0061ble"`),
  ...[300, 1100, 2200, 4300].map((length) => (body: string) => `${' '.repeat(length)}${body}${' '.repeat(length)}`),
]

export const createFormChecks: readonly Check[] = [
  writes('C-4.2-20', {
    name: 'animals whose names are nearly the same, or the same with another status, are different animals',
    sentence: says.added,
    conclusion: 'Only the id is unique (section 2), and another text is another name.',
    turn: 'many',
    async run({ shop, stock }) {
      await stock.showFew()
      const name = stock.newName()
      const long = `${name} ${'x'.repeat(60)}`
      const alike = [
        name,
        name.toUpperCase(),
        `${name}.`,
        `${name}e`,
        `${name}\u00e9`,
        `${long}a`,
        `${long}b`,
        `${name}0`,
      ]
      const categoryId = (await stock.category()).id
      for (const status of ['sold', 'pending'] as const)
        for (const one of status === 'sold' ? alike : alike.slice(0, 3))
          expectSent(await shop.create(await stock.bodyOf({ name: JSON.stringify(one), status: `"${status}"` })), {
            name: one,
            categoryId,
            status,
          })
    },
  }),
  writes('C-4.2-21', {
    name: 'a create with several invalid values, or with one beside any status, is 400',
    sentence: says.invalid,
    conclusion: 'One invalid value is enough, whatever is beside it.',
    turn: 'refused',
    async run(subject) {
      await expectAllRefused(subject, await bodiesOf(subject, invalidMembers(subject.shop.mark)))
    },
  }),
  writes('C-4.2-22', {
    name: 'a status that is nearly one of the three is 400',
    sentence: says.invalid,
    conclusion: 'A status is one of the three (section 2), character by character.',
    turn: 'refused',
    async run(subject) {
      await expectAllRefused(
        subject,
        await bodiesOf(
          subject,
          nearlyStatuses.map((status) => ({ status: `"${status}"` })),
        ),
      )
    },
  }),
  writes('C-4.2-23', {
    name: 'a body that is nearly JSON is 400',
    sentence: says.invalid,
    conclusion: 'What is no JSON (RFC 8259) has no valid values.',
    turn: 'refused',
    run: (subject) => expectAllRefused(subject, almostJson(subject.stock.newName(), subject.shop.markCategory)),
  }),
  writes('C-4.2-24', {
    name: 'members in any order, with any white space of JSON between them, are the same animal',
    sentence: says.newPet,
    conclusion:
      'Members of JSON have no order, and white space between them says nothing (RFC 8259, sections 2 and 4).',
    turn: 'many',
    async run({ shop, stock }) {
      await stock.showFew()
      const categoryId = (await stock.category()).id
      const create = async (status: string | undefined, bodyOf: (name: string) => string) => {
        const name = stock.newName()
        const made = await shop.create(bodyOf(name))
        if (made.response?.status === 413) return
        if (status !== undefined) expectSent(made, { name, categoryId, status })
        else if (expectPet(made, 201).name !== name) fail(made, `the name ${name}`)
      }
      for (const order of permutations(['name', 'categoryId', 'status']))
        await create('available', (name) => {
          const members: Record<string, string> = {
            name: `"${name}"`,
            categoryId: `${categoryId}`,
            status: '"available"',
          }
          return `{${order.map((member) => `"${member}":${members[member]}`).join(',')}}`
        })
      await create(undefined, (name) => `{"categoryId":${categoryId},"name":"${name}"}`)
      for (const layout of layouts)
        await create('available', (name) =>
          layout(`{"name":"${name}","categoryId":${categoryId},"status":"available"}`),
        )
    },
  }),
]
