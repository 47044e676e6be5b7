import { type Check, reads, type Subject, writes } from '../../shop/check.ts'
import { expectHeader, expectMembers, expectRefusal, sendJson } from '../../shop/answers.ts'
import type { Exchange } from '../../shop/exchange.ts'
import { expectArray, expectPet, expectStatus, fail, type Pet } from '../../shop/expect.ts'
import { member, textOf } from '../../shop/json.ts'
import { newKey } from './keys.ts'

const listSentence = 'listEvents: returns every change in the shop, in order and without gaps, as CloudEvents 1.0.'
const positionSentence =
  'Event-Position: where to go on from: send it as `after`, also after an empty or the last page.'
export const position = /^\d+-[0-9A-Za-z]{8}$/

export function list({ shop }: Subject, query: string): Promise<Exchange> {
  return shop.send({ method: 'GET', path: `/events?${query}` })
}

function typesOf(events: Exchange): string[] {
  return expectArray(events).map((event) => textOf(member(event, 'type')).replace('petstore.', ''))
}

function expectTypes(events: Exchange, wanted: string): void {
  const types = typesOf(events).join(', ')
  if (types !== wanted) fail(events, `the events ${wanted || 'of nobody'}`, types || 'none')
}

export function change({ shop }: Subject, { id }: Pet, status = 'sold'): Promise<Exchange> {
  return sendJson(shop, 'PATCH', `/pets/${id}`, `{"status":"${status}"}`)
}

/** A new animal and the position after its creation. */
export async function created(subject: Subject): Promise<{ pet: Pet; after: string; events: Exchange }> {
  const { pet } = await subject.stock.add()
  const events = await list(subject, `petId=${pet.id}`)
  expectStatus(events, 200)
  return { pet, after: expectHeader(events, 'Event-Position', position), events }
}

export const eventChecks: readonly Check[] = [
  writes('F-events-1', {
    name: 'a new animal is an event with its data, as a CloudEvent',
    sentence: listSentence,
    async run(subject) {
      const { pet, events } = await created(subject)
      expectTypes(events, 'pet.created')
      const [event] = expectArray(events)
      expectMembers(events, event, {
        specversion: '1.0',
        subject: `pets/${pet.id}`,
        datacontenttype: 'application/json',
      })
      expectMembers(events, member(event, 'data'), { id: pet.id, name: pet.name, categoryId: pet.categoryId })
      if (Number.isNaN(Date.parse(textOf(member(event, 'time'))))) fail(events, 'a time')
    },
  }),
  writes('F-events-2', {
    name: 'the history of an animal has its changes in order, also those of its orders',
    sentence: 'petId: returns only the events of the animal with this id, and of its orders, which change its status.',
    async run(subject) {
      const { pet } = await subject.stock.add()
      const order = `{"petId":${pet.id},"customer":"${subject.shop.mark}"}`
      const placed = await sendJson(subject.shop, 'POST', '/store/orders', order)
      expectStatus(placed, 201)
      const orderId = /\d+$/.exec(expectHeader(placed, 'Location', /\d$/))?.[0] ?? ''
      expectStatus(await sendJson(subject.shop, 'PATCH', `/store/orders/${orderId}`, '{"status":"completed"}'), 200)
      expectStatus(await subject.shop.send({ method: 'DELETE', path: `/pets/${pet.id}` }), 204)
      const events = await list(subject, `petId=${pet.id}`)
      const wanted = 'pet.created, pet.updated, order.placed, pet.updated, order.completed, pet.deleted'
      expectTypes(events, wanted)
      const ofOrder = await list(subject, `orderId=${orderId}`)
      expectTypes(ofOrder, 'order.placed, order.completed')
      // What a customer is called is not for everybody who follows the events.
      if (ofOrder.response?.body.includes(subject.shop.mark)) fail(ofOrder, 'no customer')
    },
  }),
  writes('F-events-3', {
    name: 'the numbers of events ascend, and sort=-id returns the newest first',
    sentence: listSentence,
    async run(subject) {
      const { pet } = await created(subject)
      for (const status of ['sold', 'pending']) expectStatus(await change(subject, pet, status), 200)
      const [up, down] = [await list(subject, `petId=${pet.id}`), await list(subject, `petId=${pet.id}&sort=-id`)]
      const [ascending, descending] = [up, down].map((events) =>
        expectArray(events).map((event) => textOf(member(event, 'sequence'))),
      )
      const isAscending = ascending?.every((id, index) => index === 0 || id > (ascending[index - 1] ?? ''))
      if (isAscending !== true || ascending?.length !== 3) fail(up, 'three events with an ascending `sequence`')
      if (descending?.toReversed().join() !== ascending?.join()) fail(down, 'the same events, the newest first')
    },
  }),
  writes('F-events-4', {
    name: 'after a position come exactly the events that followed, also from an empty page',
    sentence: positionSentence,
    async run(subject) {
      const { pet, after } = await created(subject)
      const empty = await list(subject, `petId=${pet.id}&after=${after}`)
      expectTypes(empty, '')
      const later = expectHeader(empty, 'Event-Position', position)
      expectStatus(await change(subject, pet), 200)
      for (const from of [after, later])
        expectTypes(await list(subject, `petId=${pet.id}&after=${from}`), 'pet.updated')
    },
  }),
  reads('F-events-5', {
    name: 'a position of another history is 410, a damaged one is 400',
    sentence: '410: `gone`: Events after this position are no longer kept, or the position was lost.',
    async run(subject) {
      const events = await list(subject, 'limit=1')
      const [number = '', lineage = ''] = expectHeader(events, 'Event-Position', position).split('-')
      const other = lineage.startsWith('Z') ? 'AAAAAAAA' : 'ZZZZZZZZ'
      expectRefusal(await list(subject, `after=${number}-${other}`), 410, 'gone')
      expectRefusal(await list(subject, 'after=damaged'), 400, 'invalid_parameter')
    },
  }),
  writes('F-events-6', {
    name: 'events are filtered by type',
    sentence: 'type: returns only events of this type.',
    async run(subject) {
      const { pet } = await created(subject)
      expectStatus(await change(subject, pet), 200)
      expectTypes(await list(subject, `type=petstore.pet.updated&petId=${pet.id}`), 'pet.updated')
    },
  }),
  writes('F-events-7', {
    name: 'an event names the request and the key that made the change',
    sentence: 'Each event has the extension attributes `keyid`, `keyname` and `requestid`.',
    async run(subject) {
      const requestId = `${subject.shop.mark}-request`
      const body = await subject.stock.bodyOf()
      const made = await sendJson(subject.shop, 'POST', '/pets', body, { 'X-Request-Id': requestId })
      expectStatus(made, 201)
      const id = /\d+$/.exec(expectHeader(made, 'Location', /\d$/))?.[0]
      const events = await list(subject, `petId=${id}`)
      const [event] = expectArray(events)
      expectMembers(events, event, { requestid: requestId })
      for (const name of ['keyid', 'keyname'])
        if (typeof member(event, name) !== 'string') fail(events, `the attribute ${name}`)
    },
  }),
]

/** By who made a change, and when. The checks of streams have the numbers between. */
export const eventFilterChecks: readonly Check[] = [
  writes('F-events-11', {
    name: 'events are filtered by the key that made the change',
    sentence: 'keyid: returns only changes that were made with this API key.',
    async run(subject) {
      const { id: keyId, authorization } = await newKey(subject, 'write')
      const body = await subject.stock.bodyOf()
      const pet = expectPet(await subject.shop.send({ method: 'POST', path: '/pets', body, authorization }), 201)
      expectStatus(await change(subject, pet), 200)
      expectTypes(await list(subject, `petId=${pet.id}&keyid=${keyId}`), 'pet.created')
    },
  }),
  writes('F-events-12', {
    name: 'events are filtered by time: `from` includes its own, `to` does not',
    sentence: 'from: returns only events of this time or later. to: returns only events before this time.',
    async run(subject) {
      const { pet, events } = await created(subject)
      const time = Date.parse(textOf(member(expectArray(events)[0], 'time')))
      if (Number.isNaN(time)) fail(events, 'a time')
      const [own, next] = [time, time + 1].map((one) => new Date(one).toISOString())
      const wanted = {
        [`from=${own}`]: 'pet.created',
        [`from=${next}`]: '',
        [`to=${own}`]: '',
        [`to=${next}`]: 'pet.created',
      }
      for (const [query, types] of Object.entries(wanted))
        expectTypes(await list(subject, `petId=${pet.id}&${query}`), types)
      expectRefusal(await list(subject, `from=${own}&to=${own}`), 400, 'invalid_parameter')
    },
  }),
]
