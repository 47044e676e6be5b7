import { type Check, reads, type Subject, writes } from '../../shop/check.ts'
import { expectHeader, expectMembers, expectRefusal } from '../../shop/answers.ts'
import { expectStatus, fail, type Pet } from '../../shop/expect.ts'
import { type Json, member } from '../../shop/json.ts'
import { readJson } from '../../shop/read-json.ts'
import { change, created, list, position } from './events.ts'

const streamSentence =
  'With `Accept: text/event-stream` the response is a stream: it sends events as they happen, after `Last-Event-ID` or `after`, or from now on.'

interface Sent {
  id: string | undefined
  event: Json
}

/** Opens a stream and reads until an event of this animal came. Those of other animals may be before and after it. */
async function follow({ shop }: Subject, { id }: Pet, query: string, headers: Record<string, string> = {}) {
  const first = (text: string) => eventsIn(text).find(({ event }) => member(event, 'subject') === `pets/${id}`)
  const stream = await shop.send({
    method: 'GET',
    path: `/events${query}`,
    headers: { Accept: 'text/event-stream', ...headers },
    until: (text) => first(text) !== undefined,
  })
  expectStatus(stream, 200)
  expectHeader(stream, 'Content-Type', /^text\/event-stream/)
  return { stream, sent: first(stream.response?.body.toString() ?? '') }
}

/** The whole events of a stream. */
function eventsIn(text: string): Sent[] {
  return text
    .split('\n\n')
    .slice(0, -1)
    .map((block) => ({ id: /^id: ?(.*)$/m.exec(block)?.[1], data: /^data: ?(.*)$/m.exec(block)?.[1] }))
    .flatMap(({ id, data }) => (data === undefined ? [] : [{ id, event: parse(data) }]))
}

function parse(text: string): Json {
  try {
    return readJson(text)
  } catch {
    return null
  }
}

export const streamChecks: readonly Check[] = [
  writes('F-events-8', {
    name: 'a stream sends what follows a position, each event with an id to resume from',
    sentence: streamSentence,
    async run(subject) {
      const { pet, after } = await created(subject)
      expectStatus(await change(subject, pet), 200)
      const { stream, sent } = await follow(subject, pet, `?after=${after}`)
      expectMembers(stream, sent?.event, { type: 'petstore.pet.updated', subject: `pets/${pet.id}` })
      if (!position.test(sent?.id ?? '')) fail(stream, 'an id with each event, to resume from', sent?.id)
    },
  }),
  writes('F-events-9', {
    name: 'a stream resumes after Last-Event-ID',
    sentence: 'Last-Event-ID: the `id` that came with the last event, in place of `after`.',
    async run(subject) {
      const { pet, after } = await created(subject)
      expectStatus(await change(subject, pet, 'pending'), 200)
      const first = await follow(subject, pet, `?after=${after}`)
      const id = first.sent?.id ?? fail(first.stream, 'an id with each event')
      expectStatus(await change(subject, pet, 'sold'), 200)
      const { stream, sent } = await follow(subject, pet, '', { 'Last-Event-ID': id })
      expectMembers(stream, member(sent?.event, 'data'), { status: 'sold' })
    },
  }),
  reads('F-events-10', {
    name: 'a stream from a position of another history is 410',
    sentence: '410: `gone`: Events after this position are no longer kept, or the position was lost.',
    async run(subject) {
      const [number = '', lineage = ''] = expectHeader(
        await list(subject, 'limit=1'),
        'Event-Position',
        position,
      ).split('-')
      const id = `${number}-${lineage.startsWith('Z') ? 'AAAAAAAA' : 'ZZZZZZZZ'}`
      const stream = await subject.shop.send({
        method: 'GET',
        path: '/events',
        headers: { Accept: 'text/event-stream', 'Last-Event-ID': id },
        until: () => true,
      })
      expectRefusal(stream, 410, 'gone')
    },
  }),
]
