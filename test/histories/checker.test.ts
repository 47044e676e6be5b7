import assert from 'node:assert/strict'
import { test } from 'node:test'
import { check } from './check.ts'
import { type Animal, type Answer, type Call, type FeedEvent, type History, isDone } from './history.ts'
import { linearize, type Model, type Span } from './linearizable.ts'
import { type Random, randomFrom } from './random.ts'
import { simulate } from './simulate.ts'

type Operation = { write: number } | { read: number }

const register: Model<number, Operation> = {
  initial: 0,
  keyOf: String,
  step: (state, operation) => ('write' in operation ? operation.write : operation.read === state ? state : undefined),
}

/** Written as `start-end what`, such as `1-4 w1` and `2-3 r0`; a write without an end is a maybe. */
function spansOf(text: string): Span<Operation>[] {
  return text.split(', ').map((part) => {
    const [, invoked, returned, kind, value] = /^(\d+)-(\d*) ([rw])(\d+)$/.exec(part) as RegExpExecArray
    const operation = kind === 'w' ? { write: Number(value) } : { read: Number(value) }
    return { operation, invoked: Number(invoked), returned: Number(returned || Infinity), isMaybe: returned === '' }
  })
}

for (const [text, fits] of [
  ['1-2 w1, 3-4 r1', true],
  ['1-2 w1, 3-4 r0', false],
  ['1-4 w1, 2-3 r0', true],
  ['1-4 w1, 2-3 r1', true],
  ['1-6 w1, 2-3 r1, 4-5 r0', false],
  ['1-6 w1, 2-3 r0, 4-5 r1', true],
  ['1-2 w1, 3-4 w2, 5-6 r1', false],
  ['1-4 w1, 2-3 w2, 5-6 r1', true],
  ['1-4 w1, 2-3 w2, 5-6 r1, 7-8 r2', false],
  ['1- w1, 2-3 r0, 4-5 r1', true],
  ['1- w1, 2-3 r1, 4-5 r0', false],
  ['1- w1, 2-3 r0', true],
  ['1- w1, 2-3 w2, 4-5 r2, 6-7 r1, 8-9 r2', false],
] as const) {
  test(`one register, ${text}: ${fits ? 'there is an order' : 'there is none'}`, () => {
    const order = linearize(spansOf(text), register)

    assert.equal(order !== undefined, fits)
  })
}

test('200 histories of a right shop, with lost answers, fit one story', () => {
  for (let seed = 1; seed <= 200; seed++) assert.deepEqual(check(simulate(seed)), [], `seed ${seed}`)
})

/** Makes a right history wrong; undefined if it has nothing to falsify. */
const falsifications: Record<string, (history: History, random: Random) => History | undefined> = {
  'an animal has a name that nobody gave it': answers('get', 200, ({ body, ...rest }) => ({
    ...rest,
    body: { ...(body as Animal), name: 'nobody' },
  })),
  'a page lacks two animals': answers('list', 200, ({ body, ...rest }) =>
    (body as Animal[]).length < 4 ? undefined : { ...rest, body: (body as Animal[]).toSpliced(1, 2) },
  ),
  'a page has an animal twice': answers('list', 200, ({ body, ...rest }) => {
    const [first, ...others] = body as Animal[]
    return first && { ...rest, body: [first, first, ...others] }
  }),
  'a count is too high': (history, random) =>
    change(history, random, ({ ask, answer }) =>
      ask.kind === 'list' && ask.filter.isCounted && answer ? { ...answer, total: (answer.total ?? 0) + 5 } : undefined,
    ),
  'an inventory counts one as sold that is not': answers('inventory', 200, ({ body, ...rest }) => {
    const counts = body as Record<string, number>
    return { ...rest, body: { ...counts, sold: (counts['sold'] ?? 0) + 1 } }
  }),
  'a page of events lacks one': answers('events', 200, ({ body, ...rest }) =>
    (body as FeedEvent[]).length < 2 ? undefined : { ...rest, body: (body as FeedEvent[]).toSpliced(0, 1) },
  ),
  'a page of events ends in the middle of an order': (history, random) =>
    change(history, random, ({ ask, answer }) => {
      if (ask.kind !== 'events' || answer === undefined) return undefined
      const placed = history.feed.findIndex(({ type }, index) => index > ask.after && type === 'petstore.order.placed')
      return placed < 0 || placed >= ask.after + ask.limit
        ? undefined
        : { ...answer, body: history.feed.slice(ask.after, placed) }
    }),
  'the service fails': answers('list', 200, () => ({ status: 500, body: '' })),
  'an answer comes from before a write that had ended': staleRead,
  'an acknowledged write is lost': (history, random) => {
    const lost = random.of(history.calls.filter((call) => isDone(call) && call.ask.kind === 'rename'))
    if (lost === undefined) return undefined
    const feed = history.feed.filter(({ requestid }) => requestid !== lost.id)
    return { ...history, feed: feed.map((event, index) => ({ ...event, id: String(index + 1) })) }
  },
  'a refused write was carried out': (history, random) => {
    const done = random.of(history.calls.filter((call) => isDone(call)))
    return done && replace(history, done, { status: 409, body: {} })
  },
  'an animal is gone at the end': (history) => ({ ...history, animals: history.animals.slice(1) }),
  'an order is placed twice': (history) => {
    const placed = history.feed.findIndex(({ type }) => type === 'petstore.order.placed')
    if (placed < 1) return undefined
    const feed = history.feed.toSpliced(placed + 1, 0, ...history.feed.slice(placed - 1, placed + 1))
    return { ...history, feed: feed.map((event, index) => ({ ...event, id: String(index + 1) })) }
  },
}

for (const [what, falsify] of Object.entries(falsifications)) {
  test(`a falsified history is found: ${what}`, () => {
    let tried = 0
    for (let seed = 1; seed <= 60; seed++) {
      const falsified = falsify(simulate(seed), randomFrom(seed))
      if (falsified === undefined) continue
      tried++
      assert.notDeepEqual(check(falsified), [], `seed ${seed}`)
    }
    assert.ok(tried >= 20, `${tried} histories`)
  })
}

function answers(kind: string, status: number, altered: (answer: Answer) => Answer | undefined) {
  return (history: History, random: Random) =>
    change(history, random, ({ ask, answer }) =>
      ask.kind === kind && answer?.status === status ? altered(answer) : undefined,
    )
}

function change(history: History, random: Random, altered: (call: Call) => Answer | undefined): History | undefined {
  const call = random.of(history.calls.filter((candidate) => altered(candidate) !== undefined))
  const answer = call && altered(call)
  return answer && replace(history, call, answer)
}

function replace(history: History, call: Call, answer: Answer): History {
  return { ...history, calls: history.calls.map((each) => (each === call ? { ...each, answer } : each)) }
}

/** A read of an animal gets the answer of an earlier one, although a rename ended between them. */
function staleRead(history: History, random: Random): History | undefined {
  const reads = history.calls.filter(({ ask, answer }) => ask.kind === 'get' && answer?.status === 200)
  const renames = history.calls.filter((call) => call.ask.kind === 'rename' && isDone(call))
  const id = (call: Call) => (call.ask as { id: number }).id
  const pairs = renames.flatMap((rename) => {
    const before = reads.find((read) => id(read) === id(rename) && read.returned < rename.invoked)
    const after = reads.find((read) => id(read) === id(rename) && read.invoked > rename.returned)
    return before !== undefined && after !== undefined ? [{ before, after }] : []
  })
  const pair = random.of(pairs)
  return pair && replace(history, pair.after, pair.before.answer as Answer)
}
