import assert from 'node:assert/strict'
import { test } from 'node:test'
import { categoryText, matchCategory } from '../../../console/state/categories.ts'

const known = {
  names: new Map([
    ['1', 'Cats'],
    ['2', 'Dogs'],
    ['3', 'dogs'],
    ['4', ' Birds '],
    ['5', 'Fish'],
    ['6', 'Fish'],
    ['7', null],
    ['9', '8'],
  ]),
  isComplete: true,
}

for (const [typed, id] of [
  ['1', '1'],
  ['-7', '-7'],
  ['9223372036854775807', '9223372036854775807'],
  ['Cats', '1'],
  [' cats ', '1'],
  ['Dogs', '2'],
  ['dogs', '3'],
  ['BIRDS', '4'],
  ['Fish (#6)', '6'],
  // A number, although a category is called that.
  ['8', '8'],
  ['8 (#9)', '9'],
] as const) {
  test(`the category that was typed is found: "${typed}"`, () => {
    assert.deepEqual(matchCategory(typed, known), { id })
  })
}

for (const [typed, fault] of [
  ['', /^Choose a category\.$/],
  ['DOGS', /^Several categories are called that/],
  ['Fish', /^Several categories are called that/],
  ['Fish (#1)', /^No category is called that\.$/],
  ['9223372036854775808', /^A category is a number from -9223372036854775808 to 9223372036854775807\.$/],
  ['Snakes', /^No category is called that\.$/],
] as const) {
  test(`a category that cannot be found is refused: "${typed}"`, () => {
    assert.match(matchCategory(typed, known).fault ?? '', fault)
  })
}

test('the text of a category, typed again, is that category', () => {
  for (const id of ['1', '2', '3', '4', '5', '6', '7', '8', '9']) {
    assert.deepEqual(matchCategory(categoryText(id, known), known), { id })
  }
})
