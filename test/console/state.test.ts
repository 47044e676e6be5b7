import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { matchCategory, categoryText } from '../../console/state/categories.ts'
import { dropDraft, dropDrafts, readDraft, setDraft } from '../../console/state/drafts.ts'
import { LiveReader, type ReadState } from '../../console/state/live-reader.ts'
import { PageRequestError } from '../../console/api/failure.ts'

// The state of the console, without a browser.

const severalFault = 'Several categories are called that: choose one.'
const twins = categories({ 1: 'Cats', 2: 'cats' })
const numeral = categories({ 5: '8', 7: null })

for (const [what, known, typed, expected] of [
  ['of two names that differ only in case, the one that was typed', twins, 'Cats', { id: '1' }],
  ['of two names that differ only in case, the other that was typed', twins, ' cats ', { id: '2' }],
  ['a third way to write two names', twins, 'CATS', { fault: severalFault }],
  ['the same name twice', categories({ 1: 'Cats', 2: 'Cats' }), 'Cats', { fault: severalFault }],
  ['a name with its number', categories({ 1: 'Cats', 2: 'Cats' }), 'Cats (#2)', { id: '2' }],
  ['digits, also if another category is called that', numeral, '8', { id: '8' }],
  ['the name of digits with its number', numeral, '8 (#5)', { id: '5' }],
  ['a name with the number of another', numeral, '8 (#7)', { fault: 'No category is called that.' }],
  ['an unknown name', numeral, 'unicorns', { fault: 'No category is called that.' }],
  ['white space', numeral, ' ', { fault: 'Choose a category.' }],
] as const) {
  test(`a typed category is matched: ${what}`, () => {
    assert.deepEqual(matchCategory(typed, known), expected)
  })
}

test('a category that is too large a number is refused with the range', () => {
  assert.match(
    matchCategory('9223372036854775808', twins).fault ?? '',
    /^A category is a number from -9223372036854775808/,
  )
})

test('a category is written so that typing it means the same category', () => {
  for (const known of [twins, numeral, categories({ 1: 'Cats', 2: 'Cats', 3: 'Dogs' })]) {
    for (const id of known.names.keys()) assert.deepEqual(matchCategory(categoryText(id, known), known), { id })
  }
  assert.equal(categoryText('2', categories({ 1: 'Cats', 2: 'Cats' })), 'Cats (#2)')
})

test('a draft that was sent is dropped, unless something was typed since', (t) => {
  t.after(dropDrafts)
  const sent = { name: 'Max' }
  setDraft('animal-1', sent)
  setDraft('animal-1', { name: 'Maximilian' })

  dropDraft('animal-1', sent)
  assert.deepEqual(readDraft('animal-1'), { name: 'Maximilian' })
  dropDraft('animal-1')
  assert.equal(readDraft('animal-1'), undefined)
})

test('all drafts are dropped for the next user', () => {
  for (const name of ['animal-1', 'animal-2']) setDraft(name, { name: 'Rex' })

  dropDrafts()

  assert.deepEqual([readDraft('animal-1'), readDraft('animal-2')], [undefined, undefined])
})

test('many changes cause few reads, and the last state is read', async (t) => {
  const { tick } = mockPage(t)
  let version = 0
  let reads = 0
  const shown: (number | undefined)[] = []
  const reader = new LiveReader(
    async () => {
      reads++
      return version
    },
    ({ result }) => void shown.push(result),
  )
  t.after(() => reader.stop())
  await reader.start()

  for (version = 1; version <= 200; version++) {
    reader.refresh()
    await tick(20)
  }
  version = 200
  await tick(2_000)

  assert.equal(shown.at(-1), 200)
  // The first one, and one every 2 seconds.
  assert.ok(reads <= 4, String(reads))
})

test('a page that nobody sees reads nothing until it is seen', async (t) => {
  const { tick, page } = mockPage(t)
  let reads = 0
  const reader = new LiveReader(async () => ++reads, ignore)
  t.after(() => reader.stop())
  await reader.start()

  page.visibilityState = 'hidden'
  reader.refresh()
  await tick(60_000)
  assert.equal(reads, 1)
  page.visibilityState = 'visible'
  reader.onVisible()
  await tick(300)

  assert.equal(reads, 2)
})

test('a failed read is repeated less and less often, and not before Retry-After', async (t) => {
  const { tick } = mockPage(t)
  let reads = 0
  const states: ReadState<number>[] = []
  const reader = new LiveReader<number>(
    async () => {
      if (++reads > 4) return reads
      const error = new PageRequestError('unavailable', '')
      throw reads === 1 ? Object.assign(error, { retryAfterSeconds: 20 }) : error
    },
    (state) => void states.push(state),
  )
  t.after(() => reader.stop())
  await reader.start()

  const readsAfter = async (ms: number) => {
    await tick(ms)
    return reads
  }
  assert.deepEqual([await readsAfter(19_999), await readsAfter(1)], [1, 2])
  assert.deepEqual([await readsAfter(9_999), await readsAfter(1)], [2, 3])
  assert.deepEqual([await readsAfter(19_999), await readsAfter(1)], [3, 4])
  assert.ok(states.at(-1)?.error instanceof PageRequestError)
  await tick(40_000)

  assert.deepEqual(states.at(-1), { result: 5, isLoading: false })
})

function categories(names: Record<string, string | null>) {
  return { names: new Map(Object.entries(names)), isComplete: true }
}

function ignore(): void {
  // The state is not looked at.
}

/** The parts of a page that a reader uses: timers, a clock and whether somebody sees it. */
function mockPage(t: TestContext) {
  const page = { visibilityState: 'visible' }
  Object.assign(globalThis, { document: page })
  t.after(() => Reflect.deleteProperty(globalThis, 'document'))
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  t.mock.method(performance, 'now', () => now)
  return {
    page,
    async tick(ms: number): Promise<void> {
      now += ms
      t.mock.timers.tick(ms)
      // A read takes a few microtasks.
      for (let step = 0; step < 10; step++) await Promise.resolve()
    },
  }
}
