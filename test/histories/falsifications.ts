import { Feed } from './feed.ts'
import {
  type Animal,
  type Answer,
  type BulkResult,
  type Call,
  type FeedEvent,
  type History,
  isDone,
  keyOf,
  numberOf,
  type Order,
  type UndoResult,
} from './history.ts'
import type { Random } from './random.ts'

/** Makes a right history wrong; undefined if it has nothing to falsify. */
export const falsifications: Record<string, (history: History, random: Random) => History | undefined> = {
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
      ask.kind === 'list' && ask.filter.isCounted && answer?.status === 200
        ? { ...answer, total: (answer.total ?? 0) + 5 }
        : undefined,
    ),
  'an inventory counts one as sold that is not': answers('inventory', 200, ({ body, ...rest }) => {
    const counts = body as Record<string, number>
    return { ...rest, body: { ...counts, sold: (counts['sold'] ?? 0) + 1 } }
  }),
  'an inventory has a category that is too large': answers('inventory', 200, ({ body, ...rest }) => {
    const inventory = body as { categories: { total: number }[] }
    const [first, ...others] = inventory.categories
    return first && { ...rest, body: { ...inventory, categories: [{ ...first, total: first.total + 1 }, ...others] } }
  }),
  'a page of orders lacks two': answers('orders', 200, ({ body, ...rest }) =>
    (body as Order[]).length < 4 ? undefined : { ...rest, body: (body as Order[]).toSpliced(1, 2) },
  ),
  'a page of orders has no link to the next one': (history, random) =>
    change(history, random, ({ ask, answer, invoked }) => {
      if (ask.kind !== 'orders' || answer?.cursor === undefined) return undefined
      const { status, petId, petName, sort } = ask.filter
      if (status !== undefined || petId !== undefined || petName !== undefined || sort !== undefined) return undefined
      const last = (answer.body as Order[]).at(-1)
      const hasNext = history.calls.some(
        (call) =>
          call.ask.kind === 'order' &&
          isDone(call) &&
          call.returned < invoked &&
          (call.answer as { body: Order }).body.id > (last?.id ?? Infinity),
      )
      const { cursor: _, ...rest } = answer
      return hasNext ? rest : undefined
    }),
  'an export of orders lacks two': answers('exportOrders', 200, ({ body, ...rest }) =>
    (body as Order[]).length < 4 ? undefined : { ...rest, body: (body as Order[]).toSpliced(1, 2) },
  ),
  'a day counts two orders that nobody placed': answers('days', 200, ({ body, ...rest }) => {
    const [first, ...others] = body as { ordered: number }[]
    return first && { ...rest, body: [{ ...first, ordered: first.ordered + 2 }, ...others] }
  }),
  'a day is missing': answers('days', 200, ({ body, ...rest }) => {
    const days = body as unknown[]
    return days.length < 2 ? undefined : { ...rest, body: days.slice(1) }
  }),
  'a page that was changed is said to be as it was': (history, random) =>
    change(history, random, ({ ask, answer, invoked }) => {
      if (answer?.status !== 200 || ask.kind !== 'days' || ask.ifNoneMatch === undefined) return undefined
      const told = toldOf(history, ask)
      // Days only grow: an earlier page is true of no later state.
      const isOld = history.calls.some(
        (call) =>
          call.ask.kind === 'create' &&
          isDone(call) &&
          keyOf(call) === undefined &&
          call.invoked > (told?.returned ?? Infinity) &&
          call.returned < invoked,
      )
      return isOld ? { status: 304, body: undefined, etag: ask.ifNoneMatch } : undefined
    }),
  'an unchanged page is sent again': (history, random) =>
    change(history, random, ({ ask, answer }) => {
      if (answer?.status !== 304 || ask.kind !== 'list' || ask.ifNoneMatch === undefined) return undefined
      return { status: 200, body: [], etag: ask.ifNoneMatch }
    }),
  'an undo removed an animal that was changed': (history) => {
    const undo = history.calls.find((call) => call.ask.kind === 'undo' && isDone(call))
    const first = history.feed.findIndex(({ requestid }) => requestid === undo?.id)
    const removed = history.feed[first]
    if (undo === undefined || removed === undefined) return undefined
    const changed: FeedEvent = { ...removed, type: 'petstore.pet.updated', requestid: 'somebody' }
    return { ...history, ...refed(history, history.feed.toSpliced(first, 0, changed)) }
  },
  'an undo says that it kept one more': answers('undo', 200, ({ body, ...rest }) => {
    const result = body as UndoResult
    return { ...rest, body: { ...result, kept: result.kept + 1 } }
  }),
  'an undo does not find an import that was there': (history, random) => {
    const undo = random.of(
      history.calls.filter(({ ask, answer }) => ask.kind === 'undo' && answer?.status === 200 && !ask.idempotencyKey),
    )
    return undo && replace(history, undo, { status: 404, body: {} })
  },
  'an import that was undone is added to': (history) => {
    const undone = history.calls.find((call) => call.ask.kind === 'undo' && isDone(call))
    const last = history.feed.findLastIndex(({ requestid }) => requestid === undone?.id)
    const created = history.feed.find(({ type }) => type === 'petstore.pet.created')
    if (undone?.ask.kind !== 'undo' || created === undefined) return undefined
    const { importId } = undone.ask
    const { name, categoryId } = created.data as Animal
    const again: Call = {
      ...undone,
      id: 'again',
      ask: { kind: 'import', importId, rows: [{ name, categoryId }] },
      invoked: 0,
      returned: Infinity,
      isMaybe: true,
    }
    delete again.answer
    const event: FeedEvent = { ...created, requestid: 'again', data: { id: 1_000_000, name, categoryId } }
    const changed = refed(history, history.feed.toSpliced(last + 1, 0, event))
    return { ...history, ...changed, calls: [again, ...changed.calls] }
  },
  'a dry run adds an animal': (history) => {
    const dryRun = history.calls.find(({ ask, answer }) => ask.kind === 'dryRun' && answer?.status === 200)
    const created = history.feed.findLast(({ type }) => type === 'petstore.pet.created')
    if (dryRun === undefined || created === undefined) return undefined
    const event: FeedEvent = { ...created, requestid: dryRun.id, data: { ...created.data, id: 1_000_000 } }
    return { ...history, ...refed(history, [...history.feed, event]) }
  },
  'an animal is removed although somebody had changed it': (history) => {
    const refused = history.calls.find(({ ask, answer }) => ask.kind === 'remove' && answer?.status === 412)
    const removed = history.feed.find(({ type }) => type === 'petstore.pet.deleted')
    if (refused === undefined || removed === undefined) return undefined
    const { id } = refused.ask as { id: number }
    const there = new Feed(history.feed).last.animals.get(id)
    if (there === undefined) return undefined
    const event: FeedEvent = { ...removed, requestid: refused.id, data: there }
    const changed = refed(history, [...history.feed, event])
    return { ...history, ...changed, calls: changed.calls.map((call) => (call === refused ? gone(call) : call)) }
  },
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
    return {
      ...history,
      ...refed(
        history,
        history.feed.filter(({ requestid }) => requestid !== lost.id),
      ),
    }
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
    return { ...history, ...refed(history, feed) }
  },
  'a search has its animals in another order': (history, random) =>
    change(history, random, ({ ask, answer }) => {
      if (ask.kind !== 'list' || ask.filter.name === undefined || answer?.status !== 200) return undefined
      const page = answer.body as Animal[]
      return page.length < 2 ? undefined : { ...answer, body: page.toReversed() }
    }),
  'a search ends after its first animal': (history, random) =>
    change(history, random, ({ ask, answer }) => {
      if (ask.kind !== 'list' || ask.filter.name === undefined || answer?.status !== 200) return undefined
      const { cursor: _, ...rest } = answer
      const page = answer.body as Animal[]
      return page.length < 4 ? undefined : { ...rest, body: page.slice(0, 1) }
    }),
  'an export lacks two animals': answers('export', 200, ({ body, ...rest }) =>
    (body as Animal[]).length < 4 ? undefined : { ...rest, body: (body as Animal[]).toSpliced(1, 2) },
  ),
  'a bulk change says that it changed one more': answers('bulk', 200, ({ body, ...rest }) => {
    const result = body as BulkResult
    return { ...rest, body: { ...result, changed: result.changed + 1 } }
  }),
  'a bulk change left an animal as it was': (history, random) => {
    const ids = new Set(history.calls.filter((call) => isDone(call) && call.ask.kind === 'bulk').map(({ id }) => id))
    const left = random.of(history.feed.filter(({ requestid = '' }) => ids.has(requestid)))
    return (
      left && {
        ...history,
        ...refed(
          history,
          history.feed.filter((event) => event !== left),
        ),
      }
    )
  },
  'an import added a row twice': (history, random) => {
    const ids = new Set(history.calls.filter(({ ask }) => ask.kind === 'import').map(({ id }) => id))
    const row = random.of(history.feed.filter(({ requestid = '' }) => ids.has(requestid)))
    if (row === undefined) return undefined
    const again = { ...row, data: { ...row.data, id: 1_000_000 } }
    return { ...history, ...refed(history, history.feed.toSpliced(history.feed.indexOf(row) + 1, 0, again)) }
  },
  'an import lost a row': (history, random) => {
    const ids = new Set(history.calls.filter((call) => call.ask.kind === 'import' && isDone(call)).map(({ id }) => id))
    const row = random.of(history.feed.filter(({ requestid = '' }) => ids.has(requestid)))
    return (
      row && {
        ...history,
        ...refed(
          history,
          history.feed.filter(({ data }) => data.id !== row.data.id),
        ),
      }
    )
  },
  'a stream lacks an event': (history, random) =>
    withStream(history, (events) => events.toSpliced(random.number(events.length), 1)),
  'a stream has an event twice': (history, random) =>
    withStream(history, (events) => {
      const index = random.number(events.length)
      return events.toSpliced(index, 0, ...events.slice(index, index + 1))
    }),
  'somebody is told of a write before it was asked for': (history) => {
    const event = history.feed.at(-1)
    const told = history.calls.findLast(({ ask }) => ask.kind === 'told')
    return event && told && replace(history, told, { status: 200, body: [event] }, 1)
  },
  'a read does not know what somebody was told before': (history) => {
    const told = history.calls.findLast(({ ask }) => ask.kind === 'told')
    const read = history.calls.find(
      ({ ask, answer, invoked }) =>
        ask.kind === 'events' && answer?.status === 200 && invoked > (told?.returned ?? Infinity),
    )
    const ask = read?.ask as { after: number } | undefined
    const last = Math.max(0, ...((told?.answer?.body as FeedEvent[] | undefined) ?? []).map(numberOf))
    return read && ask && last > ask.after ? replace(history, read, { status: 200, body: [] }) : undefined
  },
}

function withStream(history: History, altered: (events: FeedEvent[]) => FeedEvent[]): History | undefined {
  const [stream] = history.told ?? []
  return stream && stream.events.length > 0
    ? { ...history, told: [{ ...stream, events: altered(stream.events) }] }
    : undefined
}

/** A call that removed its animal. */
function gone(call: Call): Call {
  return { ...call, answer: { status: 204, body: undefined }, returned: Infinity, returnedMs: Infinity }
}

/** Who was told the tag of a conditional request. */
function toldOf({ calls }: History, { ifNoneMatch }: { ifNoneMatch?: string }): Call | undefined {
  return calls.find(({ answer }) => answer?.status === 200 && answer.etag === ifNoneMatch)
}

/** Another feed, and everybody who follows it was told the same. */
function refed(history: History, events: readonly FeedEvent[]): Pick<History, 'feed' | 'told' | 'animals' | 'calls'> {
  const feed = events.map((event, index) => ({ ...event, id: String(index + 1) }))
  const animals = [...new Feed(feed).last.animals.values()].toSorted((a, b) => a.id - b.id)
  const calls = history.calls.filter(({ ask }) => ask.kind !== 'told')
  return { feed, animals, calls, told: [] }
}

export function answers(kind: string, status: number, altered: (answer: Answer) => Answer | undefined) {
  return (history: History, random: Random) =>
    change(history, random, ({ ask, answer }) =>
      ask.kind === kind && answer?.status === status ? altered(answer) : undefined,
    )
}

export function change(
  history: History,
  random: Random,
  altered: (call: Call) => Answer | undefined,
): History | undefined {
  const call = random.of(history.calls.filter((candidate) => altered(candidate) !== undefined))
  const answer = call && altered(call)
  return answer && replace(history, call, answer)
}

export function replace(history: History, call: Call, answer: Answer, returned = call.returned): History {
  return { ...history, calls: history.calls.map((each) => (each === call ? { ...each, answer, returned } : each)) }
}

/** A read of an animal gets the answer of an earlier one, although a rename ended between them. */
export function staleRead(history: History, random: Random): History | undefined {
  const reads = history.calls.filter(
    ({ ask, answer }) => ask.kind === 'get' && ask.ifNoneMatch === undefined && answer?.status === 200,
  )
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
