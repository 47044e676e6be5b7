import assert from 'node:assert/strict'
import { test } from 'node:test'
import { visibleText } from '../../../console/state/visible-text.ts'

test('a text of which nothing can be seen has a stand-in', () => {
  for (const text of ['\u200b', '\u00ad\u2060', '\u3164', '\u2800', '\ufe0f', '\u{e0041}', '\u202e \u0007']) {
    assert.equal(visibleText(text), '(invisible)', JSON.stringify(text))
  }
})

test('a text with anything to see stays as it is', () => {
  for (const text of ['Rex', '\u200bRex', '.', '🐶', '👩\u200d🚀', 'م', '\u0301', '火'])
    assert.equal(visibleText(text), text)
})
