import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinModules } from '../../src/http/pages/join-modules.ts'

/** Runs the joined modules; the first of them calls `print`. */
async function run(sources: Record<string, string>): Promise<string[]> {
  const printed: string[] = []
  const print = (...values: unknown[]) => printed.push(values.join(' '))
  Object.assign(globalThis, { print })
  const joined = joinModules('main.js', new Map(Object.entries(sources)))
  await import(`data:text/javascript,${encodeURIComponent(joined)}`)
  return printed
}

test('joined modules run once each, after those that they import', async () => {
  const printed = await run({
    'main.js': `import { a } from './a.js'\nimport { b } from './rooms/b.js'\nprint(a, b)\n`,
    'a.js': `import { b } from './rooms/b.js'\nprint('a')\nexport const a = b + 1\n`,
    'rooms/b.js': `import {\n  one as first,\n} from '../numbers.js'\nprint('b')\nexport const b = first\n`,
    'numbers.js': `export const one = 1\n`,
  })

  assert.deepEqual(printed, ['b', 'a', '2 1'])
})

test('joined modules keep their own names to themselves', async () => {
  const printed = await run({
    'main.js': `import { a } from './a.js'\nimport { b } from './b.js'\nconst name = 'main'\nprint(name, a(), b())\n`,
    'a.js': `const name = 'a'\nexport function a() { return name }\n`,
    'b.js': `const name = 'b'\nexport function b() { return name }\n`,
  })

  assert.deepEqual(printed, ['main a b'])
})

test('every form of export in our modules works', async () => {
  const printed = await run({
    'main.js': `import { f, Renamed, each, g, c, short, passed } from './all.js'
const values = []
for await (const value of each()) values.push(value)
print(f(), new Renamed().x, values, await g(), c, short, passed)
`,
    'all.js': `export { inner as passed } from './inner.js'
export function f() { return 1 }
export async function* each() { yield 2; yield 3 }
export async function g() { return 4 }
export const c = 5
export         class Renamed { x = 6 }
const s = 7;export{s as short};
`,
    'inner.js': `const inner = 8\nexport { inner }\n`,
  })

  assert.deepEqual(printed, ['1 6 2,3 4 5 7 8'])
})

test('a class may have methods that are called import and export', async () => {
  const printed = await run({
    'main.js': `import { Files } from './files.js'\nprint(await new Files().import(), new Files().export())\n`,
    'files.js': `export class Files {\n  async import() { return 1 }\n  export() { return 2 }\n}\n`,
  })

  assert.deepEqual(printed, ['1 2'])
})

for (const statement of [
  `import './a.js'`,
  `import all from './a.js'`,
  `import * as all from './a.js'`,
  `export let counter = 0`,
  `export default 1`,
  `export * from './a.js'`,
]) {
  test(`a module that cannot be joined is refused: ${statement}`, () => {
    const sources = new Map([
      ['main.js', statement],
      ['a.js', ''],
    ])

    assert.throws(() => joinModules('main.js', sources), /^Error: main\.js cannot be joined/)
  })
}

test('an import of a missing module is refused by name', () => {
  const sources = new Map([['main.js', `import { a } from './rooms/a.js'`]])

  assert.throws(() => joinModules('main.js', sources), /There is no module rooms\/a\.js/)
})
