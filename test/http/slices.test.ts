import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTick } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { slices } from '../../src/http/server/slices.ts'
import { noteArrival } from '../../src/inventory/loop-steps.ts'
import { until } from '../support/until.ts'

test('works for many connections run in their order, a few milliseconds of them in each tick', async () => {
  const later = worksInSlices()
  const ran: number[] = []
  let ticks = 0
  let next = setImmediate(function count() {
    ticks++
    next = setImmediate(count)
  })
  for (let index = 0; index < 40; index++) {
    later(() => {
      spin(1)
      ran.push(index)
    })
  }
  assert.equal(ran.length, 0)
  await until(() => ran.length === 40)
  clearImmediate(next)

  assert.deepEqual(
    ran,
    Array.from({ length: 40 }, (_, index) => index),
  )
  assert.ok(ticks >= 10, `${ticks} ticks`)
})

test('works that wait together begin together: requests share one look at the version of the storage', async () => {
  const events: string[] = []
  const later = slices<() => void>({ perform: (work) => work(), begin: () => events.push('begin') })

  for (const work of ['first', 'second', 'third']) later(() => events.push(work))
  await until(() => events.length === 4)
  later(() => events.push('fourth'))
  await until(() => events.length === 6)

  assert.deepEqual(events, ['begin', 'first', 'second', 'third', 'begin', 'fourth'])
})

test('a work that has run is not kept in memory, although others always wait', async () => {
  const later = worksInSlices()
  const contents: WeakRef<object>[] = []

  function addWork(): void {
    const content = { index: contents.length }
    contents.push(new WeakRef(content))
    later(() => {
      // Longer than a slice: the next one waits for another tick.
      spin(6)
      if (content.index < 20) addWork()
    })
  }
  addWork()
  addWork()
  await until(() => contents.length >= 15)
  collectGarbage()

  const kept = contents.filter((content) => content.deref() !== undefined)
  assert.ok(kept.length <= 3, `${kept.length} of ${contents.length} works are in memory`)
})

test('a work that fails does not keep those behind it waiting', async (t) => {
  const later = worksInSlices()
  let ran = 0
  let failed = 0
  const listeners = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.once('uncaughtException', () => failed++)
  t.after(() => {
    for (const listener of listeners) process.on('uncaughtException', listener)
  })

  later(() => {
    throw new Error('It fails.')
  })
  later(() => ran++)
  await until(() => failed === 1)
  later(() => ran++)

  await until(() => ran === 2, 2_000)
})

test('owners take turns when there is more work than one tick has time for', async () => {
  const performed: string[] = []
  const perform = (item: string) => {
    spin(1)
    performed.push(item)
  }
  const add = slices({ perform, ownerOf: (item) => item.charAt(0) })
  for (let index = 0; index < 100; index++) add(`a${index}`)
  await until(() => performed.length > 0)

  for (const item of ['b0', 'b1', 'c0', 'b2']) add(item)
  const before = performed.length
  await until(() => performed.length === 104)

  const inTurn = performed.slice(before, before + 8).map((item) => item.charAt(0))
  assert.deepEqual(inTurn.filter((owner) => owner !== 'a').slice(0, 2), ['b', 'c'], 'each has a turn')
  assert.ok(performed.indexOf('b2') <= before + 10, performed.slice(before, before + 20).join(' '))
  const ofOwner = (owner: string) => performed.filter((item) => item.startsWith(owner))
  assert.deepEqual(ofOwner('b'), ['b0', 'b1', 'b2'])
  assert.deepEqual(
    ofOwner('a'),
    Array.from({ length: 100 }, (_, index) => `a${index}`),
  )
})

test('while connections arrive, works wait for some ticks, so that clients are heard', async () => {
  const performed: string[] = []
  const add = slices({ perform: (item: string) => performed.push(item), yieldsToArrivals: () => true })
  add('first')
  let ticks = 0
  for (; performed.length === 0; ticks++) {
    noteArrival()
    await nextTick()
  }
  add('second')
  await nextTick()
  await nextTick()

  assert.ok(ticks > 10 && ticks < 100, `${ticks} ticks`)
  assert.deepEqual(performed, ['first', 'second'], 'without arrivals it does not wait')
})

test('near the limit of connections, works do not wait for more of them', async () => {
  const performed: string[] = []
  const add = slices({ perform: (item: string) => performed.push(item), yieldsToArrivals: () => false })
  add('first')
  noteArrival()
  await nextTick()
  await nextTick()

  assert.deepEqual(performed, ['first'])
})

function worksInSlices(): (work: () => void) => void {
  return slices({ perform: (work) => work() })
}

function spin(ms: number): void {
  for (const start = performance.now(); performance.now() < start + ms; );
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  ;(runInNewContext('gc') as () => void)()
}
