import { isDeepStrictEqual } from 'node:util'
import type { Operation } from './document.ts'
import { type Check, type Item, newPet } from './shop.ts'

/** Every member of the body chooses or changes animals. */
export async function checkBulk(check: Check, operation: Operation): Promise<void> {
  const { app, contract, missing } = check
  const find = async (id: number) => ((await app.send(`/v1/pets?id=${id}`)).body as Item[])[0]
  const run = async (body: Item) => (await check.send(operation, operation.path, { body })).body as Item
  const pets = [await newPet(check), await newPet(check)] as const
  const own: Record<string, Item> = {
    status: { status: 'pending' },
    categoryId: { categoryId: 4_711 },
    name: { name: 'Zulu' },
  }
  const members = new Map(contract.membersOf(contract.schema('BulkFilter')))
  for (const name of members.keys()) {
    // The first animal alone has the value.
    const value = name === 'ids' ? [pets[0]] : own[name]?.[name]
    if (name !== 'ids') await app.sendJson(`PATCH /v1/pets/${pets[0]}`, own[name] ?? {})
    await run({ filter: { ids: pets, [name]: value }, change: { categoryId: 8_000 } })
    const changed = (await Promise.all(pets.map(find))).map((pet) => pet?.['categoryId'] === 8_000)
    if (!isDeepStrictEqual(changed, [true, false])) missing.add(`${operation.id}: ${name} of filter has no effect`)
    await run({ filter: { ids: pets }, change: { categoryId: 7, status: 'available' } })
  }
  for (const [name, schema] of contract.membersOf(contract.schema('BulkPetChange'))) {
    for (const value of contract.valuesOf(schema)) {
      await run({ filter: { ids: pets }, change: { [name]: value } })
      if (((await find(pets[1]))?.[name] ?? null) !== value) missing.add(`${operation.id}: ${name} has no effect`)
    }
  }
  const forecast = await run({ filter: { ids: [pets[0]] }, delete: true, dryRun: true })
  if (forecast['matching'] !== 1 || (await find(pets[0])) === undefined) {
    missing.add(`${operation.id}: dryRun has no effect`)
  }
  await newPet(check)
  const before = await run({ filter: { status: 'available' }, delete: true, dryRun: true })
  await newPet(check)
  const same = await run({ filter: { status: 'available' }, delete: true, dryRun: true, cursor: before['cursor'] })
  if (same['matching'] !== before['matching']) missing.add(`${operation.id}: the cursor of dryRun has no effect`)
  await run({ filter: { ids: [pets[0]] }, delete: true })
  if ((await find(pets[0])) !== undefined) missing.add(`${operation.id}: delete has no effect`)
  // Pets with long names fill a call.
  const long = await Promise.all(
    Array.from({ length: 60 }, () => app.create({ name: `Xray ${'x'.repeat(2_000)}`, categoryId: 9_000 })),
  )
  const body = { filter: { categoryId: 9_000 }, change: { status: 'sold' } }
  const first = await run(body)
  const second = await run({ ...body, cursor: first['next'] })
  if (Number(first['changed']) + Number(second['changed']) !== long.length || first['changed'] === 0) {
    missing.add(`${operation.id}: cursor has no effect`)
  }
  await app.sendJson('POST /v1/store/orders', { petId: await newPet(check) })
  await run({ filter: { name: 'Charlie' }, delete: true })
}
