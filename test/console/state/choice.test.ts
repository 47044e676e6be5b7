import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChosenPets, hasAll, rangeOf, withPets } from '../../../console/state/choice.ts'

const pets = [1, 2, 3, 4].map((id) => ({ id, name: `Pet ${id}`, categoryId: 1 }))
const [one, two, three, four] = pets as [(typeof pets)[0], (typeof pets)[0], (typeof pets)[0], (typeof pets)[0]]
const ids = (some: readonly { id: number | bigint }[]) => some.map(({ id }) => id)

test('a range goes from the last chosen animal to this one, in either direction', () => {
  assert.deepEqual(ids(rangeOf(pets, two, four)), [2, 3, 4])
  assert.deepEqual(ids(rangeOf(pets, three, one)), [1, 2, 3])
})

test('a range that starts on another page is the animal alone', () => {
  assert.deepEqual(ids(rangeOf(pets, { ...one, id: 99 }, three)), [3])
  assert.deepEqual(ids(rangeOf(pets, undefined, three)), [3])
})

test('animals join and leave a choice, and others stay in it', () => {
  const before: ChosenPets = new Map([['99', { ...one, id: 99 }]])

  const after = withPets(before, [one, two], true)

  assert.deepEqual([...after.keys()], ['99', '1', '2'])
  assert.equal(hasAll(after, [one, two]), true)
  assert.deepEqual([...withPets(after, [one], false).keys()], ['99', '2'])
})
