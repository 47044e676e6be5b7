import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allChecks } from '../../../verify/src/checks/all.ts'
import type { Check } from '../../../verify/src/shop/check.ts'
import { share, startApp, type TestApp } from '../../support/app.ts'
import { fullMutations } from '../full-mutations.ts'
import { idsOf, judge } from '../judge.ts'
import { recommendedMutations } from '../recommended-mutations.ts'
import { mutatedTransport, type Recorded, touches } from '../service-mutation.ts'

const checks = allChecks.filter(({ level }) => level !== 'contract')
const mutations = [...recommendedMutations, ...fullMutations]

/** With enough animals, so that a run adds only a few. */
const sharedApp = share(async (t) => {
  const app = await startApp(t)
  await Promise.all(Array.from({ length: 25 }, () => app.create({ name: 'Rex', categoryId: 1, status: 'sold' })))
  return { app, traffic: await recordAll(app) }
})

/**
 * What each check sends and receives when the service is right. A mutation that changes nothing of it cannot fail the
 * check, so only the other checks are run.
 */
async function recordAll(app: TestApp): Promise<Map<Check, Recorded[]>> {
  const traffic = new Map<Check, Recorded[]>()
  for (const check of checks) {
    const recorded: Recorded[] = []
    let isRunning = false
    const observed: Check = {
      ...check,
      async run(subject) {
        isRunning = true
        await check.run(subject).finally(() => (isRunning = false))
      },
    }
    const transport = mutatedTransport({}, (request, passage) => isRunning && recorded.push({ request, passage }))
    await judgeApp(app, { checks: [observed], transport })
    traffic.set(check, recorded)
  }
  return traffic
}

function judgeApp({ origin, key }: TestApp, options: Parameters<typeof judge>[2]) {
  return judge(new URL(`${origin}/v1`), key, { level: 'full', ...options })
}

for (const mutation of mutations) {
  test(`exactly the checks of the table fail: ${mutation.name}`, async () => {
    const { app, traffic } = await sharedApp()
    const affected = checks.filter((check) => touches(mutation, traffic.get(check) ?? []))

    const report = await judgeApp(app, { checks: affected, transport: mutatedTransport(mutation) })

    assert.deepEqual(idsOf(report, 'failed'), mutation.fails)
  })
}

test('every check beyond the contract is failed by a mutation, and every mutation fails a check', () => {
  const failing = new Set(mutations.flatMap(({ fails }) => fails))

  assert.deepEqual(
    checks.map(({ id }) => id).filter((id) => !failing.has(id)),
    [],
  )
  assert.deepEqual(
    mutations.filter(({ fails }) => fails.length === 0).map(({ name }) => name),
    [],
  )
  assert.equal(new Set(mutations.map(({ name }) => name)).size, mutations.length)
})
