import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionsFor, matchActions } from '../../../console/state/actions.ts'

const all = actionsFor(
  () => true,
  () => undefined,
)

function match(text: string): { strong: string[]; weak: string[] } {
  const { strong, weak } = matchActions(all, text)
  return { strong: strong.map(({ text }) => text), weak: weak.map(({ text }) => text) }
}

test('an action is found by the beginnings of its words, in any order', () => {
  assert.deepEqual(match('ANI add').strong, ['Add an animal'])
  assert.deepEqual(match('órders').strong, ['Go to Orders', 'Export orders'])
})

test('an action is found by other words for it, after the animals that are called so', () => {
  assert.deepEqual(match('new'), { strong: ['New order'], weak: ['Add an animal'] })
  assert.deepEqual(match('log out'), { strong: [], weak: ['Sign out'] })
  // Lea is an animal more often than somebody leaves.
  assert.deepEqual(match('lea'), { strong: [], weak: ['Sign out', 'Invite a colleague'] })
})

test('an action is found by some of its letters, after those found by words', () => {
  assert.deepEqual(match('adnml'), { strong: [], weak: ['Add an animal'] })
  assert.deepEqual(match('sgnt'), { strong: [], weak: ['Sign out'] })
  assert.deepEqual(match('x'), { strong: [], weak: [] })
  assert.deepEqual(match('rex'), { strong: [], weak: [] })
})

test('without a text all actions are offered that the key may use', () => {
  const forReaders = actionsFor(
    () => false,
    () => undefined,
  )

  assert.equal(match('').strong.length, all.length)
  assert.ok(!forReaders.some(({ text }) => text === 'Add an animal'))
  assert.deepEqual(
    forReaders.flatMap(({ text }) => (text.startsWith('Go to') ? [text] : [])),
    ['Go to Stock', 'Go to Animals', 'Go to Settings'],
  )
})
