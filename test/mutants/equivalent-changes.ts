/** A change that makes no difference: its line has `text`, of which a part becomes `replacement`. */
export interface EquivalentChange {
  file: string
  text: string
  replacement: string
  reason: string
}

export const equivalentChanges: readonly EquivalentChange[] = [
  {
    file: 'src/http/gates/body.ts',
    text: 'if (before === 0) buffer = chunk',
    replacement: 'false',
    reason: 'the first chunk is copied like the others',
  },
  ...['true', 'buffer.length <= bytes'].map((replacement) => ({
    file: 'src/http/gates/body.ts',
    text: 'if (buffer.length < bytes) buffer = Buffer.concat',
    replacement,
    reason: 'the buffer grows earlier than it must',
  })),
  {
    file: 'src/http/gates/authenticate.ts',
    text: 'if (key !== undefined) storeKey(hash, key)',
    replacement: 'true',
    reason: 'a key that is stored as undefined is looked for again',
  },
  {
    file: 'src/http/gates/authenticate.ts',
    text: 'const isSingle = authorization !== undefined &&',
    replacement: 'true',
    reason: 'no key is found in a header that is absent',
  },
  {
    file: 'src/http/gates/expectation.ts',
    text: 'Number(length) > (findings.route?.maxBodyBytes ?? Number.POSITIVE_INFINITY)',
    replacement: 'findings.route.maxBodyBytes',
    reason: 'a request without a route was refused before',
  },
  {
    file: 'src/http/gates/http-message.ts',
    text: "return text === undefined || text === '' || isHost(text)",
    replacement: 'false',
    reason: 'undefined, as a text, has the form of a host',
  },
  {
    file: 'src/http/gates/input.ts',
    text: 'if (exchange.request.headers.prefer === undefined) return false',
    replacement: 'false',
    reason: 'no preference is found in a header that is absent',
  },
  {
    file: 'src/http/gates/media-type.ts',
    text: 'return type === shortest || form.test(type)',
    replacement: 'false',
    reason: 'the form includes the shortest text',
  },
  {
    file: 'src/webhooks/addresses.ts',
    text: 'done(',
    replacement: '["Stryker was here"]',
    reason: 'nobody looks at the addresses beside an error',
  },
  ...['/\\[|\\]$/g', '/^\\[|\\]/g'].map((replacement) => ({
    file: 'src/webhooks/send.ts',
    text: 'hostname.replace(',
    replacement,
    reason: 'the parser of URLs leaves brackets only around an address',
  })),
  {
    file: 'src/webhooks/send.ts',
    text: ".on('close', () => reject(new Error('the connection was closed without a response')))",
    replacement: '() => undefined',
    reason: 'Node reports an error before it closes a request that got no response; this is for a case it may forget',
  },
  {
    file: 'src/webhooks/deliver-events.ts',
    text: "if (state.phase === 'waiting' && isDue(state.nextAttemptAt ?? 0, now)) happen(state, 'due')",
    replacement: 'true',
    reason: 'an endpoint that does not wait ignores that a time has come',
  },
  {
    file: 'src/webhooks/deliver-events.ts',
    text: "if (state.phase === 'idle' && state.position < head) {",
    replacement: 'state.position <= head',
    reason: 'there is no event after the head, so the position stays',
  },
  {
    file: 'src/webhooks/deliver-events.ts',
    text: "if (event !== undefined) happen(state, 'behind')",
    replacement: 'true',
    reason: 'an endpoint that has all events finds that in its turn',
  },
  {
    file: 'src/webhooks/deliver-events.ts',
    text: "if (phase === 'waiting') timer.set()",
    replacement: 'true',
    reason: 'the timer is set once more for the same time',
  },
  {
    file: 'src/webhooks/deliver-events.ts',
    text: 'if (isOver) return',
    replacement: 'false',
    reason: 'bookkeeping that has ended stores nothing and gives nothing back',
  },
  {
    file: 'src/webhooks/deliver-events.ts',
    text: 'if (steps.isOver()) await steps.next()',
    replacement: 'true',
    reason: 'it leaves the event loop to others more often',
  },
  {
    file: 'src/webhooks/deliver-events.ts',
    text: 'if (endpoint.startsAfter > state.position) state.position = endpoint.startsAfter',
    replacement: 'endpoint.startsAfter >= state.position',
    reason: 'both are the same then',
  },
  {
    file: 'src/webhooks/send-next-event.ts',
    text: 'if (event.id > state.position) state.position = event.id',
    replacement: 'event.id >= state.position',
    reason: 'both are the same then',
  },
  {
    file: 'src/webhooks/dispatcher.ts',
    text: 'let mayHaveChanged = false',
    replacement: 'true',
    reason: 'the first look finds a new version in any case',
  },
  {
    file: 'src/webhooks/dispatcher.ts',
    text: 'const due = { refresh: 0, noteAll: 0, prune: 0 }',
    replacement: '{}',
    reason: 'a time that is absent has come, as 0 has',
  },
  {
    file: 'src/webhooks/spare-time.ts',
    text: 'idle - idle >= idleMs',
    replacement: 'performance.eventLoopUtilization().idle - idle > idleMs',
    reason: 'a measured time is not exactly 0.2 ms',
  },
  {
    file: 'src/webhooks/event-reader.ts',
    text: 'toQueued(event, beginning === beginnings) ?? []',
    replacement: '["Stryker was here"]',
    reason: 'a text in place of an event has no id, so it is not among those up to the end',
  },
  {
    file: 'src/webhooks/event-reader.ts',
    text: 'position = next.at(-1)?.id ?? page.end',
    replacement: '+1',
    reason: 'the position passes the same events, which are in memory, in smaller steps',
  },
  {
    file: 'src/webhooks/event-reader.ts',
    text: 'if (steps.isOver()) await steps.next()',
    replacement: 'true',
    reason: 'it leaves the event loop to others more often',
  },
  {
    file: 'src/webhooks/event-reader.ts',
    text: 'return { position: end > after ? end : after }',
    replacement: 'end >= after',
    reason: 'both are the same then',
  },
  {
    file: 'src/webhooks/event-reader.ts',
    text: 'beginnings++',
    replacement: 'beginnings--',
    reason: 'it need only be another number',
  },
  {
    file: 'src/webhooks/endpoint-state.ts',
    text: 'const eventId = storedId < head ? storedId : head',
    replacement: 'storedId <= head',
    reason: 'both are the same then',
  },
  {
    file: 'src/webhooks/endpoint-state.ts',
    text: 'position: eventId > endpoint.startsAfter ? eventId : endpoint.startsAfter',
    replacement: 'eventId >= endpoint.startsAfter',
    reason: 'both are the same then',
  },
  {
    file: 'src/webhooks/retry-timer.ts',
    text: "if (phase === 'waiting' && nextAttemptAt < next) next = nextAttemptAt",
    replacement: 'nextAttemptAt <= next',
    reason: 'a time is replaced by itself',
  },
  {
    file: 'src/webhooks/bookkeeping.ts',
    text: 'if (timer !== undefined) return',
    replacement: 'false',
    reason: 'all timers end at the same moment, and the first of them has all the work',
  },
  ...['false', 'source.length < 15'].map((replacement) => ({
    file: 'src/contract/json.ts',
    text: 'const number = source.length <= 15 ? Number(source) : 0',
    replacement,
    reason: 'the slower way reads short numbers, too',
  })),
  {
    file: 'src/http/replies/send.ts',
    text: "encoding: length === body.length ? 'latin1' : 'utf8'",
    replacement: 'false',
    reason: 'UTF-8 has the same bytes for ASCII',
  },
  {
    file: 'src/http/request/header-hashes.ts',
    text: 'if (hashes.size === maxRemembered) hashes.clear()',
    replacement: 'true',
    reason: 'a hash that is forgotten is made again',
  },
  {
    file: 'src/contract/position.ts',
    text: 'form.exec(text) ?? []',
    replacement: '["Stryker was here"]',
    reason: 'the first of them is not looked at',
  },
  {
    file: 'src/http/replies/search-cursor.ts',
    text: 'if (bytes.length < keyStart) return undefined',
    replacement: 'bytes.length <= keyStart',
    reason: 'a cursor that ends there has no id after it, and is refused for that',
  },
  {
    file: 'src/http/replies/search-cursor.ts',
    text: 'if (bytes.length < keyEnd + idBytes) return undefined',
    replacement: 'bytes.length <= keyEnd + idBytes',
    reason: 'a cursor that ends there has no id after it, and is refused for that',
  },
  {
    file: 'src/storage/shared/reads/event-page.ts',
    text: 'rows[limit - 1]?.[0]',
    replacement: 'rows[limit - 1][0]',
    reason: 'there are more rows than the limit',
  },
  {
    file: 'src/storage/shared/reads/event-page.ts',
    text: 'return last > latest ? last : latest',
    replacement: 'last >= latest',
    reason: 'both are the same then',
  },
  {
    file: 'src/inventory/rules/loaded-facts.ts',
    text: 'const { orders = [], isNeeded, petCounts = [], keys = [], responses = [] } = loaded',
    replacement: '["Stryker was here"]',
    reason: 'a text in place of a row has no id, so nothing asks for it',
  },
  {
    file: 'src/inventory/rules/loaded-facts.ts',
    text: 'new Map<bigint, unknown>((loaded[table] ?? []).map((item) => [item.id, item]))',
    replacement: '["Stryker was here"]',
    reason: 'a text in place of a row has no id, so nothing asks for it',
  },
  {
    file: 'src/inventory/rules/loaded-facts.ts',
    text: 'if (item.id > (lastIds[table] ?? 0n)) lastIds[table] = item.id',
    replacement: 'item.id >= (lastIds[table] ?? 0n)',
    reason: 'an id is replaced by itself',
  },
  {
    file: 'src/inventory/rules/loaded-facts.ts',
    text: 'if (id <= maxNewCategoryId && (highestCategoryId === undefined || id > highestCategoryId))',
    replacement: 'id >= highestCategoryId',
    reason: 'an id is replaced by itself',
  },
  {
    file: 'src/inventory/rules/revoke-key.ts',
    text: 'shortensAdminAccess(facts, key, [], at)',
    replacement: '["Stryker was here"]',
    reason: 'a text in place of a successor is no admin key',
  },
]
