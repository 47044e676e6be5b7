import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bareKey, BareShop, directTransport } from '../bare-shop.ts'
import { failedChecks } from '../failed-checks.ts'
import { idsOf, judge } from '../judge.ts'
import { conditionMutations } from '../condition-mutations.ts'
import { modelMutations } from '../model-mutations.ts'
import { mutations as plainMutations } from '../mutations.ts'
import { stateMutations } from '../state-mutations.ts'

// The table is that of ../failed-checks.ts: a test of `npm test` holds it to the checks.
const mutations = [...plainMutations, ...modelMutations, ...conditionMutations, ...stateMutations]

for (const { name, handle, pets = 30, version, now } of mutations) {
  test(`exactly the checks of the table fail: ${name}`, async () => {
    const shop = filledShop(pets)
    const url = new URL(`http://shop.test${version ?? '/v1'}`)
    const transport = directTransport((request) => handle(request, shop), version)

    const report = await judge(url, bareKey, { transport, ...(now !== undefined && { clock: () => now }) })

    assert.deepEqual(idsOf(report, 'failed'), failedChecks[name])
  })
}

function filledShop(count: number): BareShop {
  const shop = new BareShop()
  for (let index = 0; index < count; index++)
    shop.add('Rex', '1', ['available', 'pending', 'sold', undefined][index % 4])
  return shop
}
