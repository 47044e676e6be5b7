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
    ['10', 'category 3'],
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
  // What a category without a name is called, unless another has that name.
  ['Category 7', '7'],
  [' category 12 ', '12'],
  ['Category 3', '10'],
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
  ['Category 07', /^No category is called that\.$/],
  ['Snakes', /^No category is called that\.$/],
] as const) {
  test(`a category that cannot be found is refused: "${typed}"`, () => {
    assert.match(matchCategory(typed, known).fault ?? '', fault)
  })
}

test('while not all names are known, «Category 7» may be the name of another category', () => {
  assert.match(matchCategory('Category 7', { ...known, isComplete: false }).fault ?? '', /^No category is called that/)
})

test('the text of a category, typed again, is that category', () => {
  for (const id of ['1', '2', '3', '4', '5', '6', '7', '8', '9']) {
    assert.deepEqual(matchCategory(categoryText(id, known), known), { id })
  }
})
