import { setTimeout as wait } from 'node:timers/promises'
import { header } from '../shop/answers.ts'
import { type Check, type Subject, writes } from '../shop/check.ts'
import type { Exchange } from '../shop/exchange.ts'
import type { Shop } from '../shop/shop.ts'
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

/** Pages that a client may ask for again, as they were before an animal was added. */
interface Change {
  pages: { before: Exchange; conditions: Record<string, string>[] }[]
  added?: { id: bigint; atMs: number }
}

const changes = new WeakMap<Shop, Promise<Change>>()

/** Made once in a run. */
function changeOf(subject: Subject): Promise<Change> {
  const change = changes.get(subject.shop) ?? makeChange(subject)
  changes.set(subject.shop, change)
  return change
}

async function makeChange({ shop, stock }: Subject): Promise<Change> {
  await stock.fill()
  const pages: Change['pages'] = []
  for (const query of ['?limit=100', '?limit=100&status=available']) {
    const before = await shop.list(query)
    const conditions = Object.entries(validators).flatMap(([name, source]) => {
      const value = header(before, source)
      return value === undefined ? [] : [{ [name]: value }]
    })
    if (conditions.length > 0) pages.push({ before, conditions })
  }
  if (pages.length === 0) return { pages }
  // Last-Modified has whole seconds: the change is to be in a later one.
  if (pages.some(({ before }) => header(before, 'last-modified') !== undefined)) await wait(secondMs)
  const { pet } = await stock.add({ status: '"available"' })
  return { pages, added: { id: pet.id, atMs: shop.lastAcceptedMs } }
}

/** HTTP lets a shop say that a page is as it was. Then it must be so. */
async function expectChanged({ pages, added }: Change, { shop }: Subject): Promise<void> {
  if (added === undefined) return
  await shop.settle(added.atMs)
  for (const { before, conditions } of pages) {
    const now = await shop.send(before.request)
    if (textOf(now) === textOf(before)) continue
    for (const headers of conditions) {
      const list = await shop.send({ ...before.request, headers })
      if (list.response?.status === 304) fail(list, `the page as it is since the animal ${added.id} was added`)
      expectArray(list)
    }
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
    begin: changeOf,
    async run(subject) {
      const { shop } = subject
      const change = await changeOf(subject)
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
      await expectChanged(change, subject)
    },
  }),
]
