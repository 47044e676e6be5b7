import {
  type Animal,
  type Anomaly,
  type BulkResult,
  type Call,
  type FeedEvent,
  isDone,
  isRead,
  keyOf,
  type UndoResult,
} from './history.ts'

type ByRequest = Map<string, FeedEvent[]>

/** What was acknowledged is in the feed as it was answered; what was refused is not. */
export function checkWrites(calls: readonly Call[], byRequest: ByRequest): Anomaly[] {
  const wrong: Anomaly[] = []
  for (const call of calls) {
    if (isRead(call.ask) || call.isMaybe) continue
    const events = byRequest.get(call.id) ?? []
    const event = events.at(-1)
    if (!isDone(call)) {
      if (event !== undefined) wrong.push({ rule: `a refused write is event ${event.id}`, calls: [call] })
    } else if (event === undefined) {
      if (keyOf(call) === undefined) wrong.push({ rule: 'an acknowledged write has no event', calls: [call] })
    } else if (!isWhatWasAnswered(call, events)) {
      wrong.push({ rule: `an acknowledged write is another one as event ${event.id}`, calls: [call] })
    }
  }
  return wrong
}

function isWhatWasAnswered(call: Call, events: readonly FeedEvent[]): boolean {
  const { ask } = call
  const body = call.answer?.body
  switch (ask.kind) {
    case 'remove':
      return true
    case 'bulk':
      return (body as BulkResult).changed === events.length
    case 'undo':
      return (body as UndoResult).removed === events.length
    case 'import': {
      const names = new Set(events.map(({ data }) => (data as Animal).name))
      const isAll = names.size === events.length && (body as { added: number }).added === ask.rows.length
      // With a key an earlier request may have added some of them.
      return isAll && (keyOf(call) !== undefined || ask.rows.every(({ name }) => names.has(name)))
    }
    default:
      return JSON.stringify(events.at(-1)?.data) === JSON.stringify(body)
  }
}

/** Of all requests with one key, one was carried out at most, and all that succeeded got its answer. */
export function checkKeys(calls: readonly Call[], byRequest: ByRequest): Anomaly[] {
  return Map.groupBy(calls, keyOf)
    .entries()
    .flatMap(([key, ofKey]) => {
      if (key === undefined) return []
      const problem = ofKey[0]?.ask.kind === 'import' ? importProblem(ofKey, byRequest) : keyProblem(ofKey, byRequest)
      return problem === undefined ? [] : [{ rule: `the key ${key} ${problem}`, calls: ofKey }]
    })
    .toArray()
}

function keyProblem(ofKey: readonly Call[], byRequest: ByRequest): string | undefined {
  const carriedOut = ofKey.flatMap(({ id }) => (byRequest.has(id) ? [byRequest.get(id)] : []))
  if (carriedOut.length > 1) return `was carried out ${carriedOut.length} times`
  const succeeded = ofKey.flatMap(({ answer }) => (answer !== undefined && answer.status < 300 ? [answer.body] : []))
  const [events = []] = carriedOut
  const answers = new Set(succeeded.map((body) => JSON.stringify(body)))
  if (ofKey[0]?.ask.kind === 'undo') {
    if (succeeded.some((body) => (body as UndoResult).removed !== events.length)) return 'says what it did not do'
  } else if (ofKey[0]?.ask.kind === 'bulk') {
    if (succeeded.some((body) => (body as BulkResult).changed !== events.length)) return 'says what it did not do'
  } else if (answers.size > 0) answers.add(JSON.stringify(events.at(-1)?.data))
  return answers.size > 1 ? 'got several answers' : undefined
}

/** A retry of an import adds the rows that are missing. */
function importProblem(ofKey: readonly Call[], byRequest: ByRequest): string | undefined {
  const { ask } = ofKey[0] as Call
  const names = ofKey.flatMap(({ id }) => byRequest.get(id) ?? []).map(({ data }) => (data as { name: string }).name)
  if (new Set(names).size < names.length) return 'added a row twice'
  const isMissing = ask.kind === 'import' && names.length < ask.rows.length
  return isMissing && ofKey.some(isDone) ? `added ${names.length} rows` : undefined
}
