import { isDeepStrictEqual } from 'node:util'
import type { Operation, Parameter } from './document.ts'
import { type Check, freshTarget, type Item, newImport } from './shop.ts'

type Effect = (check: Check, operation: Operation, parameter: Parameter) => Promise<boolean>

/** Effects that no member of an item shows. A name before the dot is of one operation. */
const effects: Record<string, Effect> = {
  async limit(check, operation) {
    return (await read(check, operation, 'limit=1')).length === 1
  },
  async cursor(check, operation) {
    const all = await read(check, operation, 'limit=100')
    const { headers } = await check.send(operation, `${operation.path}?limit=1`)
    const next = /[?&](cursor=[^>&]+)/.exec(headers.get('link') ?? '')?.[1]
    return next !== undefined && isDeepStrictEqual(await read(check, operation, `limit=100&${next}`), all.slice(1))
  },
  async sort(check, operation, { schema }) {
    const orders = check.contract.valuesOf(schema) as string[]
    const areSorted = orders.map(async (order) =>
      isSorted(await read(check, operation, `limit=100&sort=${order}`), order),
    )
    return orders.length > 1 && (await Promise.all(areSorted)).every(Boolean)
  },
  async without(check, operation, { schema }) {
    const [member] = check.contract.valuesOf(schema) as [string]
    const lacking = (await read(check, operation, 'limit=100')).filter((item) => !(member in item))
    const found = await read(check, operation, `limit=100&without=${member}`)
    return lacking.length > 0 && isDeepStrictEqual(found, lacking)
  },
  async ids(check, operation) {
    const [first, , third] = await read(check, operation, 'limit=100')
    const found = await read(check, operation, `limit=100&ids=${String(third?.['id'])},${String(first?.['id'])}`)
    return third !== undefined && isDeepStrictEqual(found, [first, third])
  },
  async format(check, operation, { schema }) {
    const types: Record<string, string> = { csv: 'text/csv', ndjson: 'application/x-ndjson' }
    for (const format of check.contract.valuesOf(schema) as string[]) {
      const { headers } = await check.send(operation, `${operation.path}?format=${format}`)
      if (headers.get('content-type')?.split(';')[0] !== types[format]) return false
    }
    return true
  },
  async spreadsheet(check, operation) {
    const header = async (value: boolean) =>
      firstLine(await check.send(operation, `${operation.path}?spreadsheet=${value}`))
    return (await header(true)) === `${await header(false)},categoryName`
  },
  async separator(check, operation, { schema }) {
    const separators: Record<string, string> = { comma: ',', semicolon: ';', tab: '\t' }
    const columns = firstLine(await check.send(operation, operation.path))?.split(',') ?? []
    for (const name of check.contract.valuesOf(schema) as string[]) {
      const header = firstLine(await check.send(operation, `${operation.path}?separator=${name}`))
      if (header !== columns.join(separators[name])) return false
    }
    return columns.length > 1
  },
  /** The animals of an import, and no others. */
  async importId(check, operation) {
    const importId = await newImport(check, 2)
    const found = await read(check, operation, `limit=100&importId=${importId}`)
    return found.length === 2 && isDeepStrictEqual(await read(check, operation, 'limit=100&importId=unknown'), [])
  },
  'importPets.importId': async (check, operation) => {
    const headers = { 'content-type': 'application/x-ndjson' }
    const sent = { headers, body: '{"name":"Rex","categoryId":1}\n' }
    const { body } = await check.send(operation, `${operation.path}?importId=of-this-test`, sent)
    return (body as Item)['importId'] === 'of-this-test'
  },
  'undoImport.cursor': async (check, operation) => {
    const path = operation.path.replace(/\{\w+\}|1(?=\/undo)/, await newImport(check, 1_002))
    const [first, again] = [await check.send(operation, path), await check.send(operation, path)]
    const { next } = first.body as Item
    const last = await check.send(operation, `${path}?cursor=${String(next)}`)
    const removed = [first, again, last].map(({ body }) => (body as Item)['removed'])
    return isDeepStrictEqual(removed, [1_000, 1, 0])
  },
  async mode(check, operation, { schema }) {
    const headers = { 'content-type': 'application/x-ndjson' }
    const sent = { headers, body: '{"name":"Rex","categoryId":1}\n{}\n' }
    const usual = await check.send(operation, operation.path, sent)
    const whole = await check.send(operation, `${operation.path}?mode=all-or-nothing`, sent)
    const added = [usual, whole].map(({ body }) => (body as Item)['added'])
    return isDeepStrictEqual([added, check.contract.valuesOf(schema)], [[1, 0], ['all-or-nothing']])
  },
  async 'create-categories'(check, operation) {
    const names = ['true', 'false'].map((value) => `Made with ${value}`)
    const headers = { 'content-type': 'application/x-ndjson' }
    const added: unknown[] = []
    for (const name of names) {
      const sent = { headers, body: `{"name":"Rex","categoryName":"${name}"}\n` }
      const { body } = await check.send(
        operation,
        `${operation.path}?create-categories=${name.split(' ').at(-1)}`,
        sent,
      )
      added.push((body as Item)['added'])
    }
    return isDeepStrictEqual(added, [1, 0])
  },
  async 'dry-run'(check, operation) {
    const headers = { 'content-type': 'application/x-ndjson' }
    const sent = { headers, body: '{"name":"Rex","categoryId":1}\n' }
    const latest = async () => (await check.app.send('/v1/pets?sort=-id&limit=1')).text
    const before = await latest()
    const { body } = await check.send(operation, `${operation.path}?dry-run=true`, sent)
    const isSame = (await latest()) === before
    await check.send(operation, `${operation.path}?dry-run=false`, sent)
    return isSame && (await latest()) !== before && isDeepStrictEqual((body as Item)['newCategories'], [])
  },
  // Other categories than without it: those of the search, also without animals.
  'exportOrders.spreadsheet': async (check, operation) => {
    const header = async (value: boolean) =>
      firstLine(await check.send(operation, `${operation.path}?spreadsheet=${value}`))
    const [plain, marked] = [await header(false), await header(true)]
    return plain === orderColumns.join() && marked === plain
  },
  'getInventory.sort': async (check, operation) => {
    const [largest, byId] = [
      await read(check, operation, 'limit=100'),
      await read(check, operation, 'limit=100&sort=id'),
    ]
    const ids = byId.map(({ id }) => Number(id))
    const isSorted = isDeepStrictEqual(
      ids,
      ids.toSorted((one, other) => one - other),
    )
    return isSorted && largest.every(({ id }) => ids.includes(Number(id))) && ids.length > largest.length
  },
  'getInventory.name': async (check, operation) => {
    const list = check.contract.operation('GET', '/categories') as Operation
    const [found, expected] = [await read(check, operation, 'name=Alpha'), await read(check, list, 'name=Alpha')]
    const ids = (items: Item[]) => items.map(({ id }) => id)
    return expected.length > 0 && isDeepStrictEqual(ids(found), ids(expected))
  },
  // Finds by a word of the name, which no other animal has.
  async petName(check, operation) {
    const { body } = await check.app.create({ name: `Found by ${operation.id}`, categoryId: 7, status: 'available' })
    await check.app.sendJson('POST /v1/store/orders', { petId: (body as Item)['id'] })
    return isFilter(check, operation, `petName=${operation.id}`, ({ petId }) => petId === (body as Item)['id'])
  },
  'listDays.from': async (check, operation) =>
    (await read(check, operation, 'from=2026-01-30&to=2026-01-31')).map(({ date }) => date).join() ===
    '2026-01-30,2026-01-31',
  'listDays.to': async (check, operation) => {
    const [last] = (await read(check, operation, 'to=2026-01-31')).slice(-1)
    return last?.['date'] === '2026-01-31'
  },
  'listEvents.after': async (check, operation) => {
    const all = await read(check, operation, 'limit=100')
    return isDeepStrictEqual(await read(check, operation, 'limit=100&after=1'), all.slice(1))
  },
  'listEvents.petId': (check, operation) =>
    isFilter(check, operation, 'petId=1', ({ subject, data }) => subject === 'pets/1' || (data as Item)['petId'] === 1),
  'listEvents.orderId': (check, operation) =>
    isFilter(check, operation, 'orderId=1', ({ subject }) => subject === 'store/orders/1'),
  'listEvents.from': async (check, operation) => {
    const time = await timeOfEvent(check, operation)
    return isFilter(check, operation, `from=${time}`, (event) => (event['time'] as string) >= time)
  },
  'listEvents.to': async (check, operation) => {
    const time = await timeOfEvent(check, operation)
    return isFilter(check, operation, `to=${time}`, (event) => (event['time'] as string) < time)
  },
}

const orderColumns = ['id', 'petId', 'status', 'placedAt', 'updatedAt', 'customer', 'note']

async function timeOfEvent(check: Check, operation: Operation): Promise<string> {
  return (await read(check, operation, 'limit=3')).at(-1)?.['time'] as string
}

/** A documented parameter has its effect. Without one of its own it filters by the member of its name. */
export async function checkQueryParameter(check: Check, operation: Operation, parameter: Parameter): Promise<void> {
  const { id } = operation
  const { name } = parameter
  const effect = effects[`${id}.${name}`] ?? effects[name] ?? filterByMember
  if (!(await effect(check, operation, parameter))) check.missing.add(`${id}: the parameter ${name} has no effect`)
}

async function filterByMember(check: Check, operation: Operation, { name }: Parameter): Promise<boolean> {
  const values = new Set((await read(check, operation, 'limit=100')).map((item) => item[name]))
  values.delete(undefined)
  const found = [...values].map((value) =>
    isFilter(check, operation, `${name}=${encodeURIComponent(String(value))}`, (item) => item[name] === value),
  )
  return found.length > 1 && (await Promise.all(found)).every(Boolean)
}

/** Whether exactly these items are returned, which are some but not all. */
async function isFilter(
  check: Check,
  operation: Operation,
  query: string,
  isMatch: (item: Item) => boolean,
): Promise<boolean> {
  const all = await read(check, operation, 'limit=100')
  const expected = all.filter(isMatch)
  const isSome = expected.length > 0 && expected.length < all.length
  return isSome && isDeepStrictEqual(await read(check, operation, `limit=100&${query}`), expected)
}

/** The items of a list, of a file, or of the list in a resource. */
async function read(check: Check, operation: Operation, query: string): Promise<Item[]> {
  const isFile = operation.parameters.some(({ name }) => name === 'format')
  const path = `${operation.path}?${query}${isFile ? '&format=ndjson' : ''}`
  const { body, text, headers } = await check.send(operation, path, { headers: { prefer: 'count=exact' } })
  if (isFile)
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Item)
  const lists = Array.isArray(body) ? [body] : Object.values(body as Item).filter(Array.isArray)
  const items = (lists[0] ?? []) as Item[]
  // Whatever the filter: a count is that of the whole list.
  const total = headers.get('x-total-count')
  const isWhole = !headers.has('link') && !query.includes('cursor=')
  if (total !== null && isWhole && Number(total) !== items.length)
    check.missing.add(`${operation.id}: ${query} lists ${items.length} and counts ${total}`)
  return items
}

function isSorted(items: readonly Item[], order: string): boolean {
  const name = order.replace('-', '')
  const compare = (a: unknown, b: unknown) =>
    typeof a === 'string' && !/^\d+-\w{8}$/.test(a)
      ? a.localeCompare(String(b))
      : Number.parseInt(String(a)) - Number.parseInt(String(b))
  const sorted = items.toSorted(
    (a, b) => (order.startsWith('-') ? -1 : 1) * (compare(a[name], b[name]) || compare(a['id'], b['id'])),
  )
  return items.length > 1 && isDeepStrictEqual(items, sorted)
}

/** An id leads to what has this id, and to nothing else. */
export async function checkPathParameter(check: Check, operation: Operation): Promise<void> {
  const { id: name, method } = operation
  const { path, id } = await freshTarget(check, operation)
  const unknown = path.replace(String(id), method === 'PUT' ? 'x' : '999999')
  const body = operation.body === undefined ? {} : { body: {} }
  if ((await check.send(operation, unknown, body)).status < 400) check.missing.add(`${name}: an unknown id is accepted`)
}

function firstLine({ text }: { text: string }): string | undefined {
  return text.split('\n')[0]
}
