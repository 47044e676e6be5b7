/** A part of the program, and the tests that are to notice every change of it. */
export interface Room {
  name: string
  /** Globs of files. */
  mutate: readonly string[]
  tests: readonly string[]
  /** Lines that are changed, chosen by the seed; all if absent. */
  sampledLines?: number
}

/** Whole: here 95 % of the changes must be noticed. */
const whole: readonly Room[] = [
  {
    name: 'inventory/rules',
    mutate: ['src/inventory/rules/*.ts'],
    tests: ['test/inventory/**/*.test.ts'],
  },
  {
    name: 'http/gates',
    mutate: ['src/http/gates/*.ts'],
    tests: [
      'test/http/rate-limit.test.ts',
      'test/http/gates.test.ts',
      'test/http/cors.test.ts',
      'test/http/upgrades-and-expectations.test.ts',
      'test/http/body-sizes.test.ts',
      'test/http/repeated-headers.test.ts',
      'test/http/create-pet-body.test.ts',
      'test/http/hosts-and-addresses.test.ts',
      'test/http/methods-and-paths.test.ts',
      'test/http/get-pet.test.ts',
      'test/http/prefer.test.ts',
      'test/http/authentication.test.ts',
      'test/http/invitations.test.ts',
      'test/http/transport.test.ts',
    ],
  },
  {
    name: 'cursors',
    mutate: [
      'src/http/replies/cursor.ts',
      'src/http/replies/search-cursor.ts',
      'src/contract/position.ts',
      'src/storage/shared/reads/event-page.ts',
      'src/storage/shared/reads/find-events.ts',
      'src/storage/shared/reads/page.ts',
    ],
    tests: [
      'test/http/cursors.test.ts',
      'test/contract/position.test.ts',
      'test/storage/pages.test.ts',
      'test/storage/event-filters.test.ts',
      'test/http/event-filters.test.ts',
      'test/http/lineages.test.ts',
      'test/http/paging.test.ts',
    ],
  },
  {
    name: 'webhooks',
    mutate: ['src/webhooks/*.ts'],
    tests: ['test/webhooks/*.test.ts', 'test/http/webhook*.test.ts'],
  },
]

/** A sample: what is noticed there tells about the tests, not about each line. */
const sampled: readonly Room[] = [
  { name: 'contract', mutate: ['src/contract/*.ts'], tests: ['test/contract/*.test.ts'], sampledLines: 40 },
  {
    name: 'http/replies',
    mutate: ['src/http/replies/*.ts'],
    tests: [
      'test/http/content-coding.test.ts',
      'test/http/caching.test.ts',
      'test/http/preconditions.test.ts',
      'test/http/large-pages.test.ts',
      'test/http/paging.test.ts',
      'test/http/export-pets.test.ts',
    ],
    sampledLines: 30,
  },
  {
    name: 'http/request',
    mutate: ['src/http/request/*.ts'],
    tests: [
      'test/http/preconditions.test.ts',
      'test/http/idempotency.test.ts',
      'test/http/prefer.test.ts',
      'test/http/hosts-and-addresses.test.ts',
      'test/http/list-filters.test.ts',
    ],
    sampledLines: 30,
  },
  {
    name: 'storage/shared',
    mutate: ['src/storage/shared/**/*.ts'],
    tests: [
      'test/storage/pets.test.ts',
      'test/storage/search.test.ts',
      'test/storage/sort.test.ts',
      'test/storage/writer.test.ts',
      'test/storage/rows.test.ts',
      'test/storage/deliveries.test.ts',
    ],
    sampledLines: 30,
  },
  {
    name: 'transfer',
    mutate: ['src/transfer/**/*.ts'],
    tests: ['test/transfer/**/*.test.ts', 'test/http/import-pets.test.ts', 'test/http/export-pets.test.ts'],
    sampledLines: 30,
  },
  { name: 'sandbox', mutate: ['src/sandbox/*.ts'], tests: ['test/sandbox/*.test.ts'], sampledLines: 30 },
]

export const rooms: readonly Room[] = [...whole, ...sampled]

/** A change that makes no difference: its line has `text`, of which a part becomes `replacement`. */
export interface EquivalentChange {
  file: string
  text: string
  replacement: string
  reason: string
}

export const equivalentChanges: readonly EquivalentChange[] = [
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
