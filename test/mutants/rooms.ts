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
        mutate: ['src/http/replies/cursor.ts'],
        tests: ['test/http/cursors.test.ts', 'test/http/paging.test.ts'],
      },
      {
        mutate: ['src/storage/sqlite/reads/{name-walk,sorted-search}.ts', 'src/storage/shared/reads/sorted-search.ts'],
        tests: ['test/storage/sorted-search.test.ts', 'test/storage/renamed-by-others.test.ts'],
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
      gate('authenticate', 'gates/authenticate', 'known-keys'),
      gate('body', 'gates/body'),
      gate('cors', 'cors'),
      gate('{expectation,input,invitation,sunset}', 'gates/small-gates'),
      gate('http-message', 'gates/http-message'),
      gate('known-paths', 'gates/known-paths'),
      gate('media-type', 'gates/media-type', 'repeated-headers'),
      gate('rate-limit', 'gates/small-gates', 'rate-limit', 'address-limit'),
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
      webhook(
        '{deliver-events,send-next-event}',
        'deliver-polls',
        'deliver-retries',
        'deliver-events',
        'deliver-meanwhile',
      ),
      webhook('{dispatcher,log-pruning}', 'log-pruning', 'dispatcher-looks', 'dispatcher-lease'),
      webhook('deliver-now', 'deliver-now'),
      webhook('{send,connection-error}', 'connection-error', 'send', 'endpoint-responses'),
      webhook('addresses', 'addresses', 'look-ups', 'system-look-ups'),
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
    [
      'replies/*',
      'guides',
      'observe',
      'exact-count',
      'cursors',
      'content-coding',
      'caching',
      'cached-lists',
      'preconditions',
      'large-pages',
      'paging',
      'export-pets',
    ].map(httpTest),
  ),
  {
    name: 'http/request',
    sampledLines: 30,
    parts: [
      ...['accept', 'caller', 'header-hashes', 'json-object', 'prefer', 'query', 'secrets'].map((name) => ({
        mutate: [`src/http/request/${name}.ts`],
        tests: [httpTest(`request/${name}`)],
      })),
      { mutate: ['src/http/request/author.ts'], tests: [httpTest('event-authors')] },
      {
        mutate: ['src/http/request/{client-network,proxies}.ts'],
        tests: ['request/proxies', 'client-network'].map(httpTest),
      },
      {
        mutate: ['src/http/request/idempotency-key.ts'],
        tests: ['idempotency-keys', 'idempotency', 'idempotency-in-flight'].map(httpTest),
      },
      {
        mutate: ['src/http/request/{precondition,pet-filter}.ts'],
        tests: ['preconditions', 'list-filters'].map(httpTest),
      },
      {
        mutate: ['src/http/request/{inner-request,received-request,request-headers,request-id}.ts'],
        tests: [...['request-ids', 'repeated-headers', 'hosts-and-addresses'].map(httpTest), 'test/mcp/mcp.test.ts'],
      },
      {
        mutate: ['src/http/request/{host,local-request,once-closed,target}.ts'],
        tests: ['local-request', 'hosts-and-addresses', 'early-ends'].map(httpTest),
      },
    ],
  },
  sample(
    'storage/shared',
    30,
    ['src/storage/shared/**/*.ts'],
    [
      'rows',
      'event-rows',
      'pages',
      'writer',
      'writer-counts',
      'search-cost',
      'search',
      'search-budget',
      'sort',
      'event-search',
      'events',
      'concurrent-events',
      'pets',
      'pet-lists',
      'bulk',
      'categories',
      'find-orders',
      'webhooks',
      'import-undo',
      'import-history',
      'inventory',
      'invitations',
      'keys',
      'deliveries',
    ].map((name) => `test/storage/${name}.test.ts`),
  ),
  sample(
    'transfer',
    30,
    ['src/transfer/**/*.ts'],
    ['test/transfer/**/*.test.ts', httpTest('import-pets'), httpTest('export-pets')],
  ),
  {
    name: 'sandbox',
    sampledLines: 60,
    parts: [
      sandbox('{seed,lines,images,demo-shop}', 'seed', 'demo-shop'),
      sandbox('snapshot-*', 'snapshots'),
      sandbox(
        '{fault-rules,faults,disturbed-writes,partial-replies,random-numbers}',
        'fault-rules',
        'faults',
        'held-requests',
      ),
      sandbox('journal', 'journal'),
      sandbox('clock', 'clock', 'steps'),
      sandbox('{app,routes,named-pages,shop-key}', 'registry', 'shops', 'reset', 'journal'),
      sandbox('{contents,deliveries,limits,shop,shops}', 'shops', 'reset', 'bounds', 'deliveries', 'held-requests'),
      { mutate: ['src/sandbox/{*-operations,operations}.ts'], tests: ['test/contract/openapi.test.ts'] },
    ],
  },
]

function sample(name: string, sampledLines: number, mutate: readonly string[], tests: readonly string[]): Room {
  return { name, sampledLines, parts: [{ mutate, tests }] }
}

function sandbox(file: string, ...tests: string[]): Part {
  return { mutate: [`src/sandbox/${file}.ts`], tests: tests.map((name) => `test/sandbox/${name}.test.ts`) }
}

function httpTest(name: string): string {
  return `test/http/${name}.test.ts`
}

export const rooms: readonly Room[] = [...whole, ...sampled]
