import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportName, findFormulas, isFormula, spreadsheetSeparator } from '../../../console/state/export-file.ts'

test('the separator of a spreadsheet follows the language of the browser', () => {
  assert.deepEqual(
    ['en-GB', 'de-DE', 'fr-FR', 'ja-JP'].map((locale) => spreadsheetSeparator(locale)),
    ['comma', 'semicolon', 'semicolon', 'comma'],
  )
})

test('the name of an export has the day and the filters, and is valid everywhere', () => {
  const day = new Date(2026, 10, 7)

  assert.equal(exportName('animals', [], 'csv', day), 'animals-2026-11-07.csv')
  assert.equal(
    exportName('animals', ['available', 'Große Hunde', '../../x:*?"<>|', '???', 'y'.repeat(99)], 'csv', day),
    `animals-2026-11-07-available-große-hunde-x-${'y'.repeat(30)}.csv`,
  )
})

test('cells that a spreadsheet would run are found, numbers and dashes are not', async () => {
  const cells = ['=1+1', '+49 30', '-cmd', '@SUM(A1)', ' =A1', '-5', '+1,5', '-', 'a=b', '']

  assert.deepEqual(cells.filter(isFormula), ['=1+1', '+49 30', '-cmd', '@SUM(A1)', ' =A1'])
  const file = new Blob(['\ufeffid;name\n1;"=HYPERLINK(""x"")"\n2;-3\n3;@a\n'])
  assert.deepEqual(await findFormulas(file, 'semicolon'), { count: 2, example: '=HYPERLINK("x")' })
  assert.equal(await findFormulas(new Blob(['id,name\n-1,Rex\n']), 'comma'), undefined)
})
