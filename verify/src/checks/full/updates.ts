import { type Check, type Subject, writes } from '../../shop/check.ts'
import { expectHeader, expectRefusal, readPet, sendJson } from '../../shop/answers.ts'
import { expectPet, expectStatus, fail } from '../../shop/expect.ts'
import { unknownId } from '../removal.ts'

const patchSentence = 'updatePet: changes the members that are sent and leaves the others as they are.'
const deleteSentence = 'deletePet: removes an animal for good. Its id is never used again.'

async function expectStored({ shop }: Subject, id: bigint, wanted: { name: string; status: string | undefined }) {
  const pet = await readPet(shop, id)
  if (pet?.name !== wanted.name || pet.status !== wanted.status)
    fail(await shop.list(`?id=${id}`), `the name ${wanted.name} and ${wanted.status ?? 'no status'}`)
}

export const updateChecks: readonly Check[] = [
  writes('F-updates-1', {
    name: 'a change returns the animal as it is now, with what was not sent unchanged',
    sentence: patchSentence,
    async run({ shop, stock }) {
      const { pet } = await stock.add()
      const changed = expectPet(await sendJson(shop, 'PATCH', `/pets/${pet.id}`, '{"status":"sold"}'), 200)
      const isRight = changed.id === pet.id && changed.name === pet.name && changed.categoryId === pet.categoryId
      if (!isRight || changed.status !== 'sold') fail(undefined, `${pet.name}, sold`, JSON.stringify(changed.name))
    },
  }),
  writes('F-updates-2', {
    name: 'a change is stored',
    sentence: patchSentence,
    async run(subject) {
      const { pet } = await subject.stock.add()
      const name = subject.stock.newName()
      expectStatus(await sendJson(subject.shop, 'PATCH', `/pets/${pet.id}`, `{"name":"${name}"}`), 200)
      await expectStored(subject, pet.id, { name, status: 'available' })
    },
  }),
  writes('F-updates-3', {
    name: 'status null removes the status',
    sentence: 'updatePet: `status: null` removes the status.',
    async run({ shop, stock }) {
      const { pet } = await stock.add()
      const changed = await sendJson(shop, 'PATCH', `/pets/${pet.id}`, '{"status":null}')
      if (expectPet(changed, 200).status !== undefined) fail(changed, 'no status')
    },
  }),
  writes('F-updates-4', {
    name: 'a merge patch is accepted by its media type, another one is 415 with Accept-Patch',
    sentence: 'updatePet: the body is `application/json` or `application/merge-patch+json`.',
    async run({ shop, stock }) {
      const { pet } = await stock.add()
      const request = { method: 'PATCH', path: `/pets/${pet.id}`, body: '{"status":"sold"}' } as const
      expectStatus(await shop.send({ ...request, contentType: 'application/merge-patch+json' }), 200)
      const refused = await shop.send({ ...request, contentType: 'application/json-patch+json' })
      expectRefusal(refused, 415, 'unsupported_media_type')
      expectHeader(refused, 'Accept-Patch', /application\/merge-patch\+json/)
    },
  }),
  writes('F-updates-5', {
    name: 'an invalid change is 400 and changes nothing',
    sentence: patchSentence,
    async run(subject) {
      const { pet } = await subject.stock.add()
      const name = subject.stock.newName()
      const change = `{"name":"${name}","status":"lost"}`
      expectRefusal(await sendJson(subject.shop, 'PATCH', `/pets/${pet.id}`, change), 400, 'invalid_body')
      await expectStored(subject, pet.id, { name: pet.name, status: 'available' })
    },
  }),
  writes('F-updates-6', {
    name: 'to change or to remove an unknown animal is 404',
    sentence: '404: The requested resource could not be found.',
    async run({ shop }) {
      expectRefusal(await sendJson(shop, 'PATCH', `/pets/${unknownId}`, '{"status":"sold"}'), 404, 'not_found')
      expectRefusal(await shop.send({ method: 'DELETE', path: `/pets/${unknownId}` }), 404, 'not_found')
    },
  }),
  writes('F-updates-7', {
    name: 'a removed animal is 204, then gone',
    sentence: deleteSentence,
    async run({ shop, stock }) {
      const { pet } = await stock.add()
      expectStatus(await shop.send({ method: 'DELETE', path: `/pets/${pet.id}` }), 204)
      if ((await readPet(shop, pet.id)) !== undefined) fail(await shop.list(`?id=${pet.id}`), 'no animal')
      expectRefusal(await shop.send({ method: 'DELETE', path: `/pets/${pet.id}` }), 404, 'not_found')
    },
  }),
  writes('F-updates-8', {
    name: 'the id of a removed animal is not used again',
    sentence: deleteSentence,
    async run({ shop, stock }) {
      const { pet } = await stock.add()
      expectStatus(await shop.send({ method: 'DELETE', path: `/pets/${pet.id}` }), 204)
      const { exchange, pet: next } = await stock.add()
      if (next.id <= pet.id) fail(exchange, `an id above ${pet.id}`)
    },
  }),
]
