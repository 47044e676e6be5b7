import { answers, change, replace } from './falsifications.ts'
import { type Animal, type Call, type Category, type History, type Import, type Order } from './history.ts'
import type { Random } from './random.ts'

/** As falsifications.ts, of what has no events, the list of imports, and searches that go on after they stopped early. */
export const otherFalsifications: Record<string, (history: History, random: Random) => History | undefined> = {
  'a category has a name that nobody gave it': answers('getCategory', 200, ({ body, ...rest }) => ({
    ...rest,
    body: { ...(body as Category), name: 'nobody' },
  })),
  'an inventory has another name for a category': answers('inventory', 200, ({ body, ...rest }) => {
    const { categories, ...counts } = body as { categories: Category[] }
    const [first, ...others] = categories
    return first && { ...rest, body: { ...counts, categories: [{ ...first, name: 'nobody' }, ...others] } }
  }),
  'a category has no name any more': (history, random) =>
    change(history, random, (call) => {
      const { ask, answer } = call
      if (ask.kind !== 'getCategory' || answer?.status !== 200 || !hasName(history, ask.id, call)) return undefined
      return { status: 404, body: {} }
    }),
  'a page of categories lacks one': (history, random) =>
    change(history, random, (call) => {
      if (call.ask.kind !== 'categories' || call.answer?.status !== 200) return undefined
      const [first, ...others] = call.answer.body as Category[]
      if (first === undefined || others.length === 0 || !hasName(history, first.id, call)) return undefined
      return { ...call.answer, body: others }
    }),
  'a category gets another name although it has one': (history, random) =>
    change(history, random, ({ ask, answer }) =>
      ask.kind === 'nameCategory' && ask.only === 'new' && answer?.status === 412
        ? { status: 200, body: { id: ask.id, name: ask.name } }
        : undefined,
    ),
  'a category is removed that an animal has': (history, random) =>
    change(history, random, (call) => {
      if (call.ask.kind !== 'removeCategory' || call.answer?.status !== 409) return undefined
      const { id } = call.ask
      const isUsed = history.animals.some(
        (animal) => animal.categoryId === id && isUnchanged(history, animal.id, call.invoked),
      )
      return isUsed ? { status: 204, body: undefined } : undefined
    }),
  'a page of categories is of no one moment': (history) => {
    const page = history.calls.find(({ ask, answer }) => ask.kind === 'categories' && answer?.status === 200)
    const named = history.calls.filter(
      ({ ask, answer }) => ask.kind === 'nameCategory' && (answer?.status ?? 300) < 300,
    )
    const idOf = ({ answer }: Call) => (answer as { body: Category }).body.id
    for (const old of named) {
      const next = named.find((call) => idOf(call) === idOf(old) && call.invoked > old.returned)
      const other = named.find((call) => idOf(call) !== idOf(old) && call.invoked > (next?.returned ?? Infinity))
      if (page === undefined || other === undefined) continue
      const rows = [old, other].map(({ answer }) => answer?.body as Category).toSorted((a, b) => a.id - b.id)
      // So slow that each row for itself could be right.
      const slow: Call = {
        ...page,
        id: 'slow',
        ask: { kind: 'categories', limit: 100 },
        invoked: 0,
        returned: Math.max(...history.calls.map(({ invoked }) => invoked)) + 1,
        answer: { status: 200, body: rows },
      }
      return { ...history, calls: [slow, ...history.calls] }
    }
    return undefined
  },
  'an order has a customer that nobody gave it': answers('getOrder', 200, ({ body, ...rest }) => ({
    ...rest,
    body: { ...(body as Order), customer: 'nobody' },
  })),
  'an order has no customer any more': (history, random) =>
    change(history, random, (call) => {
      const { answer } = call
      if (call.ask.kind !== 'getOrder' || answer?.status !== 200) return undefined
      const { customer, ...order } = answer.body as Order
      return customer !== undefined && hasOneCustomer(history, order.id, call) ? { ...answer, body: order } : undefined
    }),
  'a customer is not what somebody has made it': answers('setCustomer', 200, ({ body, ...rest }) => ({
    ...rest,
    body: { ...(body as Order), customer: 'nobody' },
  })),
  'a search by customer leaves an order out': (history, random) =>
    change(history, random, (call) => {
      const { ask, answer } = call
      if (ask.kind !== 'customers' || ask.next !== undefined || answer?.status !== 200) return undefined
      const page = answer.body as Order[]
      const left = page.findIndex(({ id }) => hasOneCustomer(history, id, call))
      return left < 0 || answer.cursor !== undefined ? undefined : { ...answer, body: page.toSpliced(left, 1) }
    }),
  'a key is refused that nobody has revoked': (history, random) =>
    change(history, random, ({ ask, answer }) => {
      if (ask.kind !== 'useKey' || answer?.status !== 200) return undefined
      const isRevoked = history.calls.some((each) => each.ask.kind === 'revokeKey' && each.ask.keyId === ask.keyId)
      return isRevoked ? undefined : { status: 401, body: {} }
    }),
  'a key works long after it was revoked': (history, random) => {
    const revoked = (keyId: string) =>
      history.calls.find(({ ask, answer }) => ask.kind === 'revokeKey' && ask.keyId === keyId && answer !== undefined)
    const used = random.of(
      history.calls.filter(({ ask, invoked }) => {
        return ask.kind === 'useKey' && (revoked(ask.keyId)?.returned ?? Infinity) < invoked
      }),
    )
    if (used?.answer === undefined) return undefined
    const late = { ...used, answer: { status: 200, body: [] }, invokedMs: used.invokedMs + 60_000 }
    return { ...history, calls: history.calls.map((call) => (call === used ? late : call)) }
  },
  'a revoked key is said to be active': (history, random) =>
    change(history, random, ({ ask, answer, invoked }) => {
      if (ask.kind !== 'getKey' || answer?.status !== 200) return undefined
      const isRevoked = history.calls.some(
        (each) => each.ask.kind === 'revokeKey' && each.ask.keyId === ask.keyId && each.returned < invoked,
      )
      return isRevoked ? { ...answer, body: { id: ask.keyId, state: 'active' } } : undefined
    }),
  'the list of imports lacks the first': answers('imports', 200, ({ body, cursor, ...rest }) => {
    const page = body as Import[]
    return page.length < 2 || cursor !== undefined ? undefined : { ...rest, body: page.slice(0, -1) }
  }),
  'the list of imports counts rows that nobody sent': answers('imports', 200, ({ body, ...rest }) => {
    const [first, ...others] = body as Import[]
    return first && { ...rest, body: [{ ...first, added: first.added + 100 }, ...others] }
  }),
  'an import is said to be undone that nobody has undone': (history, random) =>
    change(history, random, ({ ask, answer }) => {
      if (ask.kind !== 'imports' || answer?.status !== 200) return undefined
      const page = answer.body as Import[]
      const index = page.findIndex(
        ({ id }) => !history.calls.some((each) => each.ask.kind === 'undo' && each.ask.importId === id),
      )
      return index < 0 ? undefined : { ...answer, body: page.with(index, { ...(page[index] as Import), undoneAt: '' }) }
    }),
  'an import is not said to be undone': (history, random) =>
    change(history, random, ({ ask, answer, invoked }) => {
      if (ask.kind !== 'imports' || answer?.status !== 200) return undefined
      const page = answer.body as Import[]
      const isUndone = ({ id }: Import) =>
        history.calls.some(
          (each) => each.ask.kind === 'undo' && each.ask.importId === id && each.answer && each.returned < invoked,
        )
      const index = page.findIndex((row) => row.undoneAt !== undefined && isUndone(row))
      if (index < 0) return undefined
      const { undoneAt: _, ...rest } = page[index] as Import
      return { ...answer, body: page.with(index, rest) }
    }),
  'a search that goes on leaves an animal out': (history) => {
    for (const call of history.calls) {
      const { ask, answer } = call
      if (ask.kind !== 'list' || answer?.status !== 200 || ask.filter.next?.since === undefined) continue
      const [left, ...others] = answer.body as Animal[]
      const before = history.calls.find(({ id }) => id === ask.filter.next?.since)
      const isOld = left !== undefined && isUnchanged(history, left.id, before?.invoked ?? 0)
      if (isOld && (others.length > 0 || answer.cursor === undefined))
        return replace(history, call, { ...answer, body: others })
    }
    return undefined
  },
}

/** Whether an animal certainly was as it is at the end, from a moment on. */
function isUnchanged({ feed, calls }: History, animalId: number, since: number): boolean {
  const events = feed.filter(({ type, data }) => type.startsWith('petstore.pet.') && data.id === animalId)
  const isDeleted = events.at(-1)?.type === 'petstore.pet.deleted'
  return (
    !isDeleted && events.every(({ requestid }) => calls.some((call) => call.id === requestid && call.returned < since))
  )
}

/** Whether a category certainly has a name during a call. */
function hasName({ calls }: History, id: number, { invoked }: Call): boolean {
  const isRemoved = calls.some(({ ask }) => ask.kind === 'removeCategory' && ask.id === id)
  return (
    !isRemoved &&
    calls.some(({ ask, answer, returned }) => {
      const isNaming = ask.kind === 'nameCategory' || ask.kind === 'addCategory'
      return isNaming && answer?.status === 201 && (answer.body as Category).id === id && returned < invoked
    })
  )
}

/** Whether an order certainly has the customer with whom it was placed, during a call. */
function hasOneCustomer({ calls }: History, id: number, { invoked }: Call): boolean {
  const isChanged = calls.some(({ ask }) => ask.kind === 'setCustomer' && ask.orderId === id)
  return (
    !isChanged &&
    calls.some(
      ({ ask, answer, returned }) =>
        ask.kind === 'order' && answer?.status === 201 && (answer.body as Order).id === id && returned < invoked,
    )
  )
}
