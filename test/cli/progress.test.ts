import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openProgress } from '../../src/cli/transfer/progress.ts'

test('progress is one line, written over and over, with the animals, their rate and the time left', () => {
  const { progress, written, pass } = terminal()

  pass(2_000)
  progress.update(250_000, 0.25)
  pass(2_000)
  progress.update(500_000, 0.5)

  assert.deepEqual(written, [
    '\r\x1b[K  250,000 animals · 125,000 a second · 6 s left',
    '\r\x1b[K  500,000 animals · 125,000 a second · 4 s left',
  ])
})

test('progress can be of other things than animals', () => {
  const written: string[] = []
  let now = 0
  const terminal = { isTTY: true, write: (text: string) => written.push(text) }
  const progress = openProgress(terminal, { things: 'rows copied', now: () => now })

  now = 1_000
  progress.update(500, 0.5)

  assert.deepEqual(written, ['\r\x1b[K  500 rows copied · 500 a second · 1 s left'])
})

test('progress tells minutes when there are some left', () => {
  const { progress, written, pass } = terminal()

  pass(1_000)
  progress.update(1_000, 0.01)

  assert.match(written[0] ?? '', /1 min 39 s left$/)
})

test('progress does not tell the time left where the size is not known', () => {
  const { progress, written, pass } = terminal()

  pass(1_000)
  progress.update(1_000)

  assert.match(written[0] ?? '', /1,000 animals · 1,000 a second$/)
})

test('progress is written at most ten times a second', () => {
  const { progress, written, pass } = terminal()

  for (let moment = 0; moment < 1_000; moment++) {
    pass(1)
    progress.update(moment)
  }

  assert.equal(written.length, 10)
})

test('progress can be cleared, so that another line is written, and comes back', () => {
  const { progress, written, pass } = terminal()

  progress.clear()
  pass(100)
  progress.update(1)
  progress.clear()
  progress.clear()
  pass(100)
  progress.update(2)

  assert.deepEqual(
    written.map((text) => text.slice(0, 7)),
    ['\r\x1b[K  1', '\r\x1b[K', '\r\x1b[K  2'],
  )
})

test('progress writes nothing to what is no terminal', () => {
  const { progress, written, pass } = terminal(false)

  pass(1_000)
  progress.update(1_000, 0.5)
  progress.clear()

  assert.deepEqual(written, [])
})

function terminal(isTTY = true) {
  const written: string[] = []
  let now = 0
  const progress = openProgress({ isTTY, write: (text) => written.push(text) }, { now: () => now })
  return { progress, written, pass: (milliseconds: number) => void (now += milliseconds) }
}
