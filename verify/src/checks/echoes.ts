import { setTimeout as wait } from 'node:timers/promises'
import { header } from '../shop/answers.ts'
import { type Check, type Subject, writes } from '../shop/check.ts'
import type { Exchange } from '../shop/exchange.ts'
import { expectArray, expectStatus, fail } from '../shop/expect.ts'
import { vainConditions } from '../shop/vain-conditions.ts'
import { says } from './contract-sentences.ts'
import { fewRequestKinds, type RequestKind } from './request-kinds.ts'

const secondMs = 1100

/** The status without the condition. The model judges what is in the responses. */
async function expectVain({ shop }: Subject, { status, next }: RequestKind): Promise<void> {
  for (const [name, value] of Object.entries(vainConditions))
    expectStatus(await shop.send({ ...(await next()), headers: { [name]: value } }), status)
}

/** The cookies that a response sets, as a client sends them back. */
function cookiesOf({ response }: Exchange): string {
  const set = (response?.headers ?? []).filter(([name]) => name === 'set-cookie')
  return set.map(([, value]) => value.split(';', 1)[0]).join('; ')
}

/** By which a client asks whether a page has changed. */
const validators = { 'If-None-Match': 'etag', 'If-Modified-Since': 'last-modified' }

/** HTTP lets a shop say that a page is as it was. Then it must be so. */
async function expectChange({ shop, stock }: Subject, query: string): Promise<void> {
  const before = await shop.list(query)
  const conditions = Object.entries(validators).flatMap(([name, source]) => {
    const value = header(before, source)
    return value === undefined ? [] : [{ [name]: value }]
  })
  if (conditions.length === 0) return
  // Last-Modified has whole seconds: the change is to be in a later one.
  if (header(before, 'last-modified') !== undefined) await wait(secondMs)
  const { pet } = await stock.add({ status: '"available"' })
  await shop.settle()
  const now = await shop.list(query)
  if (textOf(now) === textOf(before)) return
  for (const headers of conditions) {
    const list = await shop.send({ method: 'GET', path: `/pets${query}`, headers })
    if (list.response?.status === 304) fail(list, `the page as it is since the animal ${pet.id} was added`)
    expectArray(list)
  }
}

function textOf({ response }: Exchange): string | undefined {
  return response?.body.toString()
}

export const echoChecks: readonly Check[] = [
  writes('C-4-16', {
    name: 'cookies and ETags that the shop gave, and conditions that do not hold, change no response',
    sentence: says.page,
    conclusion: 'A condition that does not hold changes nothing (RFC 9110, section 13), and section 4 has no cookies.',
    turn: 'settled',
    async run(subject) {
      const { shop, stock } = subject
      await stock.fill()
      for (const kind of await fewRequestKinds(subject)) {
        const { status, next } = kind
        await expectVain(subject, kind)
        const cookies = cookiesOf(await shop.send(await next()))
        if (cookies === '') continue
        const headers = { Cookie: cookies }
        expectStatus(await shop.send({ ...(await next()), headers }), status)
        for (const authorization of [null, `Bearer no-such-key-${shop.mark}`])
          expectStatus(await shop.send({ ...(await next()), headers, authorization }), 401)
      }
      for (const query of ['?limit=100', '?limit=100&status=available']) await expectChange(subject, query)
    },
  }),
]
