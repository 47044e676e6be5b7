import { isDeepStrictEqual } from 'node:util'
import type { Operation, Schema } from './document.ts'
import { bodyOf, type Check, freshTarget, type Item, valuesFor } from './shop.ts'

/** Every value of a member of the body comes back, in the response and when the resource is read. Null removes it. */
export async function checkMember(check: Check, operation: Operation, name: string, schema: Schema): Promise<void> {
  const { contract, missing } = check
  for (const value of await valuesFor(check, operation, name, schema)) {
    const { path } = await freshTarget(check, operation)
    const { status, body, headers } = await check.send(operation, path, {
      body: await bodyOf(check, operation, { [name]: value }),
    })
    const sent = `${operation.id}: ${name} ${JSON.stringify(value)}`
    const isBack = (item: unknown) => isDeepStrictEqual((item as Item | undefined)?.[name] ?? null, value)
    if (status >= 300) missing.add(`${sent} is refused`)
    else if (!isBack(body)) missing.add(`${sent} is not in the response`)

    const read = contract.operation('GET', operation.path.includes('{') ? operation.path : `${operation.path}/{}`)
    const address = headers.get('location')?.split('/v1')[1] ?? (read === undefined ? undefined : path)
    if (address === undefined || status >= 300) continue
    const { body: later } = await check.app.send(`/v1${address}`)
    const isPromised = name in ((later ?? {}) as Item) || hasMember(check, operation, name)
    if (isPromised && !isBack(later)) missing.add(`${sent} is lost when it is read again`)
  }
}

/** Whether the resource that is read later has this member too, according to the document. */
function hasMember({ contract }: Check, { path }: Operation, name: string): boolean {
  const collection = path.split('/{', 1)[0] as string
  const read = contract.operations.find(
    (operation) => operation.method === 'GET' && operation.path.startsWith(`${collection}/{`),
  )
  return contract.membersOf(read?.result).some(([member]) => member === name)
}

/** A file has every member of an animal, in both directions. */
export async function checkFiles(check: Check): Promise<void> {
  const { app, contract, missing } = check
  const members = contract.membersOf(contract.schema('NewPet'))
  const pet = Object.fromEntries(members.map(([name, schema]) => [name, contract.valuesOf(schema)[0]]))
  const names = Object.keys(pet)
  const files = {
    'application/x-ndjson': `${JSON.stringify(pet)}\n`,
    'text/csv': `${names.join()}\n${names.map((name) => String(pet[name])).join()}\n`,
  }
  for (const [type, body] of Object.entries(files)) {
    await app.send('/v1/pets/import', { method: 'POST', body, headers: { 'content-type': type } })
    const [imported] = (await app.send('/v1/pets?sort=-id&limit=1')).body as Item[]
    for (const name of names) {
      if (!isDeepStrictEqual(imported?.[name], pet[name])) missing.add(`importPets: ${name} of ${type} is lost`)
    }
    const exported = await app.send(
      `/v1/pets/export?id=${String(imported?.['id'])}&format=${type.split(/[/-]/).at(-1)}`,
    )
    for (const [name] of contract.membersOf(contract.schema('Pet'))) {
      if (!new RegExp(`\\b${name}\\b`).test(exported.text)) missing.add(`exportPets: ${name} is not in ${type}`)
    }
  }
}
