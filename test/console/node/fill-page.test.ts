import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillPage, maxSearchMs, type Part } from '../../../console/api/fill-page.ts'

type Answer = number[] | Error

/** Pages of a search by their position: the cursor of a page is the position of the next one. */
function searchOf(...answers: Answer[]) {
  const asked: { cursor: string | undefined; limit: number }[] = []
  let running = 0
  return {
    asked,
    async read({ cursor, limit, signal }: Part) {
      assert.equal(++running, 1, 'one request at a time')
      asked.push({ cursor, limit })
      await Promise.resolve()
      running--
      signal.throwIfAborted()
      const position = Number(cursor ?? 0)
      const items = answers[position] ?? []
      if (items instanceof Error) throw items
      return { items, cursor: position + 1 < answers.length ? String(position + 1) : undefined }
    },
  }
}

const forever = new AbortController().signal

test('a search reads on over short and empty pages until its page is full', async () => {
  const { read, asked } = searchOf([1], [], [2], [3])

  const page = await fillPage(read, { limit: 2, signal: forever })

  assert.deepEqual(page, { items: [1, 2], cursor: '3' })
  assert.deepEqual(asked, [
    { cursor: undefined, limit: 2 },
    { cursor: '1', limit: 1 },
    { cursor: '2', limit: 1 },
  ])
})

test('a search continues after a cursor and ends with the list', async () => {
  const { read } = searchOf([1], [], [2], [])

  const page = await fillPage(read, { cursor: '1', limit: 20, signal: forever })

  assert.deepEqual(page, { items: [2], cursor: undefined })
})

test('a full page is one request, and its total is kept', async () => {
  let requests = 0

  const page = await fillPage(
    async () => {
      requests++
      return { items: [1, 2], cursor: 'a', total: 7 }
    },
    { limit: 2, signal: forever },
  )

  assert.deepEqual(page, { items: [1, 2], cursor: 'a', total: 7 })
  assert.equal(requests, 1)
})

test('a search that takes too long stops where it is, and says where to go on', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { read } = searchOf([1], [], [2])

  const page = await fillPage(
    (part) => {
      if (part.cursor === '2') t.mock.timers.tick(maxSearchMs)
      return read(part)
    },
    { limit: 20, signal: forever },
  )

  assert.deepEqual(page, { items: [1], cursor: '2' })
})

test('the first page of a search may take longer, and is the only one then', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { read, asked } = searchOf([1], [2])

  const page = await fillPage(
    (part) => {
      t.mock.timers.tick(maxSearchMs)
      return read(part)
    },
    { limit: 20, signal: forever },
  )

  assert.deepEqual(page, { items: [1], cursor: '1' })
  assert.equal(asked.length, 1)
})

test('a search that is left rejects and asks no more', async () => {
  const leaving = new AbortController()
  const { read, asked } = searchOf([], [], [1])

  const reading = fillPage(
    (part) => {
      if (part.cursor === '1') leaving.abort()
      return read(part)
    },
    { limit: 20, signal: leaving.signal },
  )

  await assert.rejects(reading, { name: 'AbortError' })
  assert.equal(asked.length, 2)
})

test('a failure after the first page keeps what was found', async () => {
  const page = await fillPage(searchOf([1], [], new Error('429')).read, { limit: 20, signal: forever })

  assert.deepEqual(page, { items: [1], cursor: '2' })
})

test('a failure of the first page is reported', async () => {
  await assert.rejects(fillPage(searchOf(new Error('503')).read, { limit: 20, signal: forever }), /503/)
})
