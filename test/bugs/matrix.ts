import { readFileSync, writeFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import type { Bug } from '../../src/sandbox/bugs/bug.ts'
import { catalogue } from '../../src/sandbox/bugs/catalogue.ts'
import type { Check, Level } from '../../verify/src/shop/check.ts'
import { startSandbox, type TestSandbox } from '../support/sandbox.ts'
import { idsOf, judge } from '../verify/judge.ts'

// For each bug the checks of `petstore verify` that fail. `npm run make -- bugs-matrix` writes them, or those of
// some, with `-- NAMES`: look at every difference.

/** The level of the table. */
export const level: Level = 'full'

const file = new URL('failed-checks.json', import.meta.url)

export const failedChecks = JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, readonly string[]>>

/** Enough animals of every status that a run adds only a few, and an order. */
const seed = Array.from({ length: 25 }, (_, index) => {
  const status = ['available', 'pending', 'sold', undefined][index % 4]
  return JSON.stringify({ id: index + 1, name: 'Rex', categoryId: 1, status })
}).join('\n')

export function startMatrix(t: TestContext): Promise<TestSandbox> {
  return startSandbox(t, { seed: { file: Buffer.from(seed) } })
}

/** The checks that fail in the shop `default` with these bugs, which gets requests without a key too. */
export async function failuresWith(
  sandbox: TestSandbox,
  bugs: readonly Bug[],
  checks?: readonly Check[],
): Promise<string[]> {
  const { send } = sandbox
  await send('default', 'POST /sandbox/reset')
  await send(
    'default',
    'PUT /sandbox/bugs',
    bugs.map(({ name }) => name),
  )
  return failuresNow(sandbox, checks)
}

/** The checks that fail in the shop `default` as it is. */
export async function failuresNow({ origin }: TestSandbox, checks?: readonly Check[]): Promise<string[]> {
  const report = await judge(new URL(`${origin}/v1`), 'sandbox_default', {
    level,
    timeoutMs: 10_000,
    ...(checks !== undefined && { checks }),
  })
  return idsOf(report, 'failed')
}

if (import.meta.main) {
  const ends: (() => unknown)[] = []
  const sandbox = await startMatrix({ after: (end: () => unknown) => ends.push(end) } as unknown as TestContext)
  const names = process.argv.slice(2)
  const found: Record<string, readonly string[]> = {}
  for (const bug of catalogue) {
    const isChosen = names.length === 0 || names.includes(bug.name)
    found[bug.name] = isChosen ? await failuresWith(sandbox, [bug]) : (failedChecks[bug.name] ?? [])
  }
  writeFileSync(file, `${JSON.stringify(found, undefined, 2)}\n`)
  for (const end of ends) await end()
}
