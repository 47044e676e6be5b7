/** A part of the program. */
export interface Room {
  name: string
  parts: readonly Part[]
  /** Lines that are changed, chosen by the seed; all if absent. */
  sampledLines?: number
}

/** Files, and the tests that are to notice every change of them: few, the quickest first. Both are globs. */
export interface Part {
  mutate: readonly string[]
  tests: readonly string[]
}

/** Whole: here 95 % of the changes must be noticed. */
const whole: readonly Room[] = [
  {
    name: 'inventory/rules',
    parts: [{ mutate: ['src/inventory/rules/*.ts'], tests: ['test/inventory/rules/*.test.ts'] }],
  },
  {
    name: 'cursors',
    parts: [
      {
        mutate: ['src/http/replies/cursor.ts', 'src/http/replies/search-cursor.ts'],
        tests: ['test/http/cursors.test.ts', 'test/http/paging.test.ts'],
      },
      {
        mutate: ['src/contract/position.ts', 'src/storage/shared/reads/{event-page,find-events,page}.ts'],
        tests: [
          'test/contract/position.test.ts',
          'test/storage/pages.test.ts',
          'test/storage/event-search.test.ts',
          'test/storage/event-filters.test.ts',
        ],
      },
    ],
  },
  {
    name: 'http/gates',
    parts: [
      gate('authenticate', 'known-keys', 'gates', 'authentication', 'rate-limit'),
      gate('body', 'arriving-bodies', 'body-sizes', 'memory', 'import-pets'),
      gate('cors', 'cors'),
      gate('expectation', 'upgrades-and-expectations'),
      gate('http-message', 'hosts-and-addresses', 'methods-and-paths', 'transport', 'upgrades-and-expectations'),
      gate('input', 'prefer'),
      gate('invitation', 'invitations'),
      gate('known-paths', 'methods-and-paths', 'cors'),
      gate('media-type', 'create-pet-body', 'repeated-headers', 'gates'),
      gate('rate-limit', 'rate-limit', 'invitations'),
      gate('sunset', 'get-pet'),
    ],
  },
  {
    name: 'webhooks',
    parts: [
      webhook('{outcome,schedule,send-result}', 'schedule'),
      webhook('endpoint-state', 'endpoint-state'),
      webhook('{delivery-slots,turns}', 'delivery-slots', 'turns'),
      webhook('{phase,sign}', 'phase', 'sign'),
      webhook('retry-timer', 'retry-timer'),
      webhook('bookkeeping', 'lease', 'bookkeeping'),
      webhook('event-reader', 'event-cache', 'event-reader'),
      webhook('spare-time', 'spare-time'),
      webhook('{deliver-events,send-next-event}', 'deliver-polls', 'deliver-events'),
      webhook('dispatcher', 'dispatcher-looks'),
      webhook('deliver-now', 'deliver-now'),
      webhook('{send,connection-error}', 'send'),
      webhook('addresses', 'addresses', 'send'),
    ],
  },
]

function gate(file: string, ...tests: string[]): Part {
  return { mutate: [`src/http/gates/${file}.ts`], tests: tests.map((name) => `test/http/${name}.test.ts`) }
}

function webhook(file: string, ...tests: string[]): Part {
  return { mutate: [`src/webhooks/${file}.ts`], tests: tests.map((name) => `test/webhooks/${name}.test.ts`) }
}

/** A sample: what is noticed there tells about the tests, not about each line. */
const sampled: readonly Room[] = [
  sample('contract', 40, ['src/contract/*.ts'], ['test/contract/*.test.ts']),
  sample(
    'http/replies',
    30,
    ['src/http/replies/*.ts'],
    ['cursors', 'content-coding', 'caching', 'preconditions', 'large-pages', 'paging', 'export-pets'].map(httpTest),
  ),
  sample(
    'http/request',
    30,
    ['src/http/request/*.ts'],
    ['preconditions', 'idempotency', 'prefer', 'hosts-and-addresses', 'list-filters'].map(httpTest),
  ),
  sample(
    'storage/shared',
    30,
    ['src/storage/shared/**/*.ts'],
    ['pages', 'event-search', 'pets', 'search', 'sort', 'writer', 'rows', 'deliveries'].map(
      (name) => `test/storage/${name}.test.ts`,
    ),
  ),
  sample(
    'transfer',
    30,
    ['src/transfer/**/*.ts'],
    ['test/transfer/**/*.test.ts', httpTest('import-pets'), httpTest('export-pets')],
  ),
  sample('sandbox', 30, ['src/sandbox/*.ts'], ['test/sandbox/*.test.ts']),
]

function sample(name: string, sampledLines: number, mutate: readonly string[], tests: readonly string[]): Room {
  return { name, sampledLines, parts: [{ mutate, tests }] }
}

function httpTest(name: string): string {
  return `test/http/${name}.test.ts`
}

export const rooms: readonly Room[] = [...whole, ...sampled]

/** A change that makes no difference: its line has `text`, of which a part becomes `replacement`. */
export interface EquivalentChange {
  file: string
  text: string
  replacement: string
  reason: string
}

export const equivalentChanges: readonly EquivalentChange[] = [
  ...['true', 'exchange.response.reservedBytes >= 0'].map((replacement) => ({
    file: 'src/http/gates/body.ts',
    text: 'if (exchange.response.reservedBytes > 0) exchange.reservation.tryResize(0)',
    replacement,
    reason: 'nothing is given back if nothing was reserved',
  })),
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
  {
    file: 'src/http/gates/rate-limit.ts',
    text: 'if (endsAt > now && windows.size <= maxWindows) break',
    replacement: 'endsAt >= now',
    reason: 'a window that ends now stays in memory until the next is opened; its next use opens a new one in any case',
  },
]
