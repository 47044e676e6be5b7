import { type Check, reads, type Subject, writes } from '../shop/check.ts'
import { type Exchange, jsonOf } from '../shop/exchange.ts'
import { expectError, expectJsonType, fail, Skipped } from '../shop/expect.ts'
import { int64Of, member } from '../shop/json.ts'
import { says } from './contract-sentences.ts'
import { isBeforeRemoval, unknownId } from './removal.ts'

/** The responses of the contract that are errors. */
const refusals = {
  400: async ({ shop, stock }: Subject) => shop.create(await stock.bodyOf({ name: '', categoryId: '1' })),
  401: ({ shop }: Subject) => shop.send({ method: 'GET', path: '/pets', authorization: null }),
  404: ({ shop }: Subject) => shop.get(unknownId),
}

/** Texts that a message may quote. */
const quotedQueries = [
  '?limit=%22a%22',
  '?limit=%5C',
  '?status=%22%5C%22',
  '?status=%3Cb%3E%25s%25n',
  '?status=%E6%97%A5',
]

/** Skips the check if the request was not refused so: another check reports that. */
async function refusal(status: keyof typeof refusals, subject: Subject): Promise<Exchange> {
  const exchange = await refusals[status](subject)
  if (exchange.response === undefined) fail(exchange, `the status ${status}`)
  if (exchange.response.status !== status) throw new Skipped(`no request was refused with ${status}`)
  return exchange
}

const errorKinds = ([401, 404, 400] as const).map((status, index) => {
  const kind = status === 400 ? writes : reads
  return kind(`C-7-${index + 1}`, {
    name: `a ${status} has an Error with code, message and status`,
    sentence: says.error,
    ...(status === 404 && { isDue: isBeforeRemoval }),
    async run(subject) {
      expectError(await refusal(status, subject), status)
      // The contract does not say what these lead to. If it is a 400, the model judges its form.
      if (status === 400) for (const query of quotedQueries) await subject.shop.list(query)
    },
  })
})

const errorStatuses = ([401, 404, 400] as const).map((status, index) => {
  const kind = status === 400 ? writes : reads
  return kind(`C-2-${9 + index}`, {
    name: `the status in the Error of a ${status} is ${status}`,
    sentence: says.errorStatus,
    ...(status === 404 && { isDue: isBeforeRemoval }),
    async run(subject) {
      const exchange = await refusal(status, subject)
      const value = exchange.response && int64Of(member(jsonOf(exchange.response), 'status'))
      if (value !== undefined && value !== BigInt(status)) fail(exchange, `"status":${status} in the body`)
      if (value === undefined) throw new Skipped('the body is no Error with a status')
    },
  })
})

const sentence = says.mediaType

const types: readonly Check[] = [
  reads('C-4-1', {
    name: 'a page of animals is application/json',
    sentence,
    async run({ shop }) {
      const list = await shop.list()
      if (list.response?.status !== 200) throw new Skipped('the list is not 200')
      expectJsonType(list)
    },
  }),
  writes('C-4-2', {
    name: 'the response to a create is application/json',
    sentence,
    async run({ stock }) {
      expectJsonType((await stock.add()).exchange)
    },
  }),
  reads('C-4-3', {
    name: 'an animal by its id is application/json',
    sentence,
    isDue: isBeforeRemoval,
    async run({ shop, stock }) {
      const { id } = await stock.anyPet()
      const got = await shop.settled(
        () => shop.get(id),
        ({ response }) => response?.status === 200,
      )
      if (got.response?.status !== 200) throw new Skipped('no animal could be fetched by its id')
      expectJsonType(got)
    },
  }),
  ...([401, 404, 400] as const).map((status, index) => {
    const kind = status === 400 ? writes : reads
    return kind(`C-4-${4 + index}`, {
      name: `a ${status} is application/json`,
      sentence,
      ...(status === 404 && { isDue: isBeforeRemoval }),
      async run(subject) {
        expectJsonType(await refusal(status, subject))
      },
    })
  }),
]

export const bodyChecks: readonly Check[] = [...errorStatuses, ...types]
export const errorChecks: readonly Check[] = errorKinds
