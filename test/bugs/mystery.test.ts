import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findBug } from '../../src/sandbox/bugs/catalogue.ts'
import { mysteryOf } from '../../src/sandbox/bugs/mystery.ts'
import { temporaryFolder } from '../support/engines.ts'
import { isAsShown, readersEnvironment, readGuide, runProgram, writeProgram } from '../support/guide.ts'
import { startSandbox } from '../support/sandbox.ts'
import { run } from '../support/service.ts'

const page = join(import.meta.dirname, '../../docs/guides/finding-bugs.md')
const namesOf = (seed: number) => mysteryOf(seed).map(({ name }) => name)

test('a seed gives the same three bugs for ever', () => {
  assert.deepEqual(namesOf(0), pinned[0])
  assert.deepEqual(namesOf(1), pinned[1])
  assert.deepEqual(namesOf(42), pinned[42])
  assert.deepEqual(namesOf(999_999), pinned[999_999])
})

test('every seed gives three bugs of the catalogue that can be found from outside, and all are given', () => {
  const given = new Set<string>()
  for (let seed = 0; seed < 1_000; seed++) {
    const bugs = mysteryOf(seed)
    assert.equal(new Set(bugs).size, 3)
    for (const { name } of bugs) given.add(name)
  }

  assert.equal(given.size, 33)
  for (const name of given) assert.equal(findBug(name)?.unfindable, undefined)
})

test('the bugs of a mystery are those of every shop, are not told, cannot be changed and outlive a reset', async (t) => {
  const { send } = await startSandbox(t, { seed: 'demo', bugs: { bugs: mysteryOf(42), isHidden: true } })
  const isWrong = async () =>
    (await send('a', 'POST /pets', { name: 'Max', categoryId: 1, status: 'SOLD' })).status === 201

  assert.equal((await send('a', '/sandbox/bugs')).status, 403)
  assert.equal((await send('a', 'PUT /sandbox/bugs', [])).status, 403)
  assert.ok(await isWrong())
  await send('a', 'POST /sandbox/reset')
  assert.ok(await isWrong())
  assert.equal((await send('b', '/sandbox/bugs')).status, 403)
})

test('the lesson finds the three bugs of mystery 42, and petstore sandbox --reveal 42 names them', async (t) => {
  const { origin } = await startSandbox(t, { seed: 'demo', bugs: { bugs: mysteryOf(42), isHidden: true } })
  const folder = temporaryFolder(t)
  const blocks = readGuide(page)

  const printed = await runProgram(
    writeProgram(folder, blocks, 'sh'),
    'sh',
    readersEnvironment(folder, `${origin}/v1`, 'sandbox_ada'),
  )

  assert.equal(printed.length, blocks.length)
  for (const [index, text] of printed.entries()) {
    const expected = blocks[index]?.prints ?? ''
    if (!isAsShown(text, expected)) assert.equal(text, expected)
  }
  const revealed = await run(t, ['sandbox', '--reveal', '42'])
  const shown = /\$ npm run petstore -- sandbox --reveal 42\n(.*?)```/s.exec(readFileSync(page, 'utf8'))?.[1]
  assert.equal(revealed.stdout, shown)
})

test('petstore sandbox --mystery takes a number, and no bugs beside it', async (t) => {
  const refusal = async (...args: string[]) => (await run(t, ['sandbox', ...args])).stderr

  assert.match(await refusal('--mystery', 'x'), /--mystery must be a number from 0 to 999999, got "x"/)
  assert.match(await refusal('--mystery', '1', '--bug', 'newest-first'), /--bug and --mystery cannot be given together/)
})

/** Written down once. A seed must not mean other bugs tomorrow, however many the catalogue has. */
const pinned: Record<number, string[]> = {
  '0': ['limit-101-accepted', 'int64-rounded', 'list-etag-of-ids'],
  '1': ['status-in-capitals-accepted', 'location-of-the-next', 'smallest-category-fails'],
  '42': ['status-in-capitals-accepted', 'cancelled-stays-pending', 'after-skips-one'],
  '999999': ['slash-at-the-end', 'another-body-replayed', 'after-skips-one'],
}
