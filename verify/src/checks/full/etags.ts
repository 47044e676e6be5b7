import { type Check, type Subject, writes } from '../../shop/check.ts'
import { expectHeader, expectRefusal, header, readPet, sendJson } from '../../shop/answers.ts'
import type { Exchange } from '../../shop/exchange.ts'
import { expectStatus, fail, type Pet } from '../../shop/expect.ts'
import { skipAfterRemoval } from '../removal.ts'

const tag = /^"[^"]+"$/
const ifMatchSentence =
  'If-Match: if the animal has none of these tags now, nothing is changed and the response is 412.'

/** A new animal and the tag of its first version. */
async function tagged({ stock }: Subject): Promise<{ pet: Pet; etag: string; path: string }> {
  const { pet, exchange } = await stock.add()
  return { pet, etag: expectHeader(exchange, 'ETag', tag), path: `/pets/${pet.id}` }
}

async function change({ shop }: Subject, path: string, ifMatch: string, status = 'sold'): Promise<Exchange> {
  return sendJson(shop, 'PATCH', path, `{"status":"${status}"}`, { 'If-Match': ifMatch })
}

export const etagChecks: readonly Check[] = [
  writes('F-etags-1', {
    name: 'the ETag of the 201 is the one of the animal',
    sentence: '`Location` is the address of the animal. Its `ETag` is the one in the 201.',
    async run(subject) {
      skipAfterRemoval(subject)
      const { pet, etag } = await tagged(subject)
      expectHeader(await subject.shop.get(pet.id), 'ETag', etag)
    },
  }),
  writes('F-etags-2', {
    name: 'If-None-Match with the ETag is 304 without a body, for an animal and for a list',
    sentence: '304: The client has this response already: its `ETag` was in `If-None-Match`.',
    async run(subject) {
      const { pet } = await tagged(subject)
      for (const path of [`/pets?id=${pet.id}`, `/pets/${pet.id}`]) {
        if (path.startsWith('/pets/')) skipAfterRemoval(subject)
        const etag = expectHeader(await subject.shop.send({ method: 'GET', path }), 'ETag', tag)
        const headers = { 'If-None-Match': `"other", ${etag}` }
        const same = await subject.shop.send({ method: 'GET', path, headers })
        expectStatus(same, 304)
        expectHeader(same, 'ETag', etag)
        if (same.response?.body.length !== 0) fail(same, 'no body')
      }
    },
  }),
  writes('F-etags-3', {
    name: 'a change gives an animal another ETag, and its list too',
    sentence: 'ETag: the version of the resource or page.',
    async run(subject) {
      const { pet, etag, path } = await tagged(subject)
      const list = await subject.shop.list(`?id=${pet.id}`)
      const changed = await sendJson(subject.shop, 'PATCH', path, '{"status":"sold"}')
      if (expectHeader(changed, 'ETag', tag) === etag) fail(changed, `another ETag than ${etag}`)
      const changedList = await subject.shop.list(`?id=${pet.id}`)
      if (expectHeader(changedList, 'ETag', tag) === header(list, 'etag'))
        fail(changedList, `another ETag than ${header(list, 'etag')}`)
    },
  }),
  writes('F-etags-4', {
    name: 'If-Match with the ETag lets a change pass, and so does *',
    sentence: ifMatchSentence,
    async run(subject) {
      const { etag, path } = await tagged(subject)
      expectStatus(await change(subject, path, `"other", ${etag}`), 200)
      expectStatus(await change(subject, path, '*', 'pending'), 200)
    },
  }),
  writes('F-etags-5', {
    name: 'If-Match with an old ETag is 412, and nothing is changed',
    sentence: ifMatchSentence,
    async run(subject) {
      const { pet, etag, path } = await tagged(subject)
      expectStatus(await sendJson(subject.shop, 'PATCH', path, '{"status":"pending"}'), 200)
      const stale = await change(subject, path, etag)
      expectRefusal(stale, 412, 'precondition_failed')
      if ((await readPet(subject.shop, pet.id))?.status !== 'pending') fail(stale, 'the status pending afterwards')
    },
  }),
  writes('F-etags-6', {
    name: 'a weak ETag never fulfils If-Match',
    sentence: 'If-Match compares tags strongly (RFC 9110).',
    async run(subject) {
      const { etag, path } = await tagged(subject)
      expectRefusal(await change(subject, path, `W/${etag}`), 412, 'precondition_failed')
    },
  }),
  writes('F-etags-7', {
    name: 'a removal with an old ETag is 412, and the animal stays',
    sentence: ifMatchSentence,
    async run(subject) {
      const { pet, etag, path } = await tagged(subject)
      expectStatus(await sendJson(subject.shop, 'PATCH', path, '{"status":"sold"}'), 200)
      const removed = await subject.shop.send({ method: 'DELETE', path, headers: { 'If-Match': etag } })
      expectRefusal(removed, 412, 'precondition_failed')
      if ((await readPet(subject.shop, pet.id)) === undefined) fail(removed, 'the animal afterwards')
    },
  }),
  writes('F-etags-8', {
    name: 'of several changes at once with the same ETag, one passes and the others are 412',
    sentence: 'With `If-Match` the change is made only if nobody has changed the animal since it was read.',
    async run(subject) {
      const { etag, path } = await tagged(subject)
      const changes = await subject.shop.sendTogether(
        Array.from({ length: 4 }, (_, index) => ({
          method: 'PATCH' as const,
          path,
          body: `{"name":"${subject.stock.newName()}-${index}"}`,
          headers: { 'If-Match': etag },
        })),
      )
      const statuses = changes.map(({ response }) => response?.status ?? 0).toSorted((a, b) => a - b)
      if (statuses.join() !== '200,412,412,412') fail(changes[0], 'one 200 and three 412', statuses.join(', '))
    },
  }),
]
