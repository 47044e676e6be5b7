import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { allChecks } from '../../verify/src/checks/all.ts'

// contract.txt is the contract as it was given, in Markdown.
const contract = readFileSync(new URL('contract.txt', import.meta.url), 'utf8')

/**
 * The lines of a section, with those of its subsections: 4 has 4.1 too. White space is one space. Of a row of a table,
 * the outer bars and the empty cells are left out: `name | string | yes | The animal's name.`
 */
function linesOf(section: string): string[] {
  const lines: string[] = []
  let isInside = false
  for (const line of contract.split('\n')) {
    const [, number] = /^#{2,3} (\d+(?:\.\d+)?)\.? /.exec(line) ?? []
    if (number !== undefined) isInside = number === section || number.startsWith(`${section}.`)
    if (isInside) lines.push(normal(line))
  }
  return lines
}

function normal(line: string): string {
  const cells = line.split('|').map((cell) => cell.trim().replaceAll(/\s+/g, ' '))
  return cells.filter((cell) => cell !== '').join(' | ')
}

/** Whether a line has it from the beginning of a sentence, an item or a cell to the end of one. */
function says(line: string, sentence: string): boolean {
  const at = line.indexOf(sentence)
  if (at === -1) return false
  const [before, after] = [line.slice(0, at), line.slice(at + sentence.length)]
  return /^(?:- |\d+\. |.*(?:\. |\| ))?$/.test(before) && /^(?: \||$)/.test(/[.:]$/.test(sentence) ? '' : after)
}

test('a sentence is found in its section only, from its beginning to its end', () => {
  const inSection = (section: string, sentence: string) => linesOf(section).some((line) => says(line, sentence))

  assert.ok(inSection('5', 'Every operation requires HTTP bearer authentication.'))
  assert.ok(inSection('2', "name | string | yes | The animal's name."))
  assert.ok(inSection('4', 'The response body is a bare array.'))
  assert.ok(!inSection('4.2', 'The response body is a bare array.'))
  assert.ok(!inSection('4.1', 'response body is a bare array.'))
  assert.ok(!inSection('4.1', 'The response body'))
  assert.ok(!inSection('2', 'name | string'.replace('string', 'text')))
})

test('every rule of the contract quotes the section that its id names, word by word', () => {
  const wrong = allChecks
    .filter(({ level }) => level === 'contract')
    .filter(({ section, sentence }) => !linesOf(section).some((line) => says(line, sentence)))

  assert.deepEqual(
    wrong.map(({ id, sentence }) => `${id}: ${sentence}`),
    [],
  )
})

test('a conclusion is one sentence', () => {
  for (const { id, conclusion } of allChecks)
    if (conclusion !== undefined) assert.match(conclusion, /^[A-Z1-9][^]*\.$/, id)
})
