import { test } from 'node:test'
import type { TestApp } from '../../support/app.ts'
import { startApp } from '../../support/app.ts'
import { assertLinear } from '../../support/cpu-cost.ts'

/** Each is the worst for some part: encoding, folding, indexing, comparing. */
const hostile = ['\u0001', '\u0301\u0323', '\ufdfa', 'é b ']
const ligature = encodeURIComponent('\ufdfa')

const operations = [
  '/v1/pets?limit=100',
  '/v1/pets?limit=100&sort=name',
  '/v1/pets?limit=100&name=b',
  '/v1/pets/export?format=csv',
  '/v1/pets/export?format=ndjson',
  '/v1/events?limit=100',
  `/v1/categories?limit=100&name=${ligature}`,
  `/v1/store/orders?limit=100&customer=${ligature}`,
  `/v1/store/orders?limit=100&petName=${ligature}`,
]

/** Rows of every kind, with names of so many characters. */
async function stock({ storage }: TestApp, rows: number, characters: number): Promise<void> {
  const { imports, categories, orders } = storage
  for (let id = 1; id <= rows; id++) {
    const unit = hostile[id % hostile.length] as string
    const name = `a${unit.repeat(characters / unit.length)}`
    await imports.add([{ name, categoryId: 1n, status: 'available' }])
    await categories.put({ id: BigInt(id), name: `${id} ${'\ufdfa'.repeat(990)}` })
    await orders.place({ petId: BigInt(id), customer: '\ufdfa'.repeat(200), note: '\u0001'.repeat(1_000) })
  }
}

for (const [what, largeSize, shapeOf] of [
  ['rows', 32, (rows: number) => [rows, 16_000]],
  ['characters of each name', 16_000, (characters: number) => [12, characters]],
] as const) {
  test(`the CPU of an operation grows no faster than the ${what}, with the worst content`, async (t) => {
    const apps = new Map<number, TestApp>()
    for (const each of [largeSize / 8, largeSize]) {
      const app = await startApp(t)
      const [rows = 0, characters = 0] = shapeOf(each)
      await stock(app, rows, characters)
      apps.set(each, app)
    }

    for (const url of operations) {
      const run = async (each: number) => {
        // A preference keeps the response out of the cache, which the smaller page fits into and the larger one does not.
        const headers = { prefer: 'handling=lenient' }
        const { status } = await (apps.get(each) as TestApp).send(url, { headers })
        if (status !== 200) throw new Error(`${url} was answered with ${status}`)
      }
      await assertLinear(largeSize, run, `${url} `)
    }
  })
}
