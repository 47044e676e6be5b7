import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { installOnce } from '../../support/cache.ts'
import { type DocumentWithExamples, needsEarlierResponse, refusedInDemoShop } from '../../support/document-examples.ts'
import { startSandbox } from '../../support/sandbox.ts'

// Postman's own importer and runner, as a stranger would use them.

interface Field {
  key: string
  value: string
  disabled?: boolean
}

/** What is used of a collection of Postman. */
interface Item {
  name: string
  item?: Item[]
  request?: {
    method: string
    url: { path: string[]; query?: Field[] }
    header?: Field[]
    auth?: unknown
  }
}

interface Collection {
  item: Item[]
}

interface Execution {
  item: { name: string }
  response?: { code: number; stream: Buffer }
  requestError?: Error
}

interface Packages {
  convert(input: object, options: object, done: (error: Error | null, result: Conversion) => void): void
  run(options: object, done: (error: Error | null, summary: { run: { executions: Execution[] } }) => void): void
}

interface Conversion {
  result: boolean
  reason?: string
  output?: { data: Collection }[]
}

/** Undefined if npm cannot get them. */
function findPackages(): Packages | undefined {
  const folder = installOnce(join(import.meta.dirname, '../../postman'))
  if (folder === undefined) return undefined
  const require = createRequire(join(folder, 'package.json'))
  const { convertV2 } = require('openapi-to-postmanv2') as { convertV2: Packages['convert'] }
  const { run } = require('newman') as Pick<Packages, 'run'>
  return { convert: convertV2, run }
}

const notTested = 'NOT TESTED: the packages of test/postman cannot be fetched'
/** Requests are called by the summaries of their operations. */
const options = { parametersResolution: 'Example' }

function convert({ convert }: Packages, document: object, more: object = {}): Promise<Collection> {
  return new Promise((resolve, reject) => {
    convert({ type: 'json', data: document }, { ...options, ...more }, (error, { result, reason, output }) => {
      if (error !== null || !result) reject(error ?? new Error(reason))
      else resolve(output?.[0]?.data as Collection)
    })
  })
}

function requestsIn(items: readonly Item[]): Item[] {
  return items.flatMap((item) => (item.item === undefined ? [item] : requestsIn(item.item)))
}

/** Each request gets a demo shop of its own, so that none depends on those before it. */
function giveShops(collection: Collection): void {
  for (const [index, { request }] of requestsIn(collection.item).entries()) {
    if (request !== undefined) {
      request.auth = { type: 'bearer', bearer: [{ key: 'token', value: `sandbox_postman-${index}`, type: 'string' }] }
    }
  }
}

/** Postman invents values for parameters without an example, which a person takes from an earlier response. */
function leaveOutInvented(collection: Collection, { paths }: DocumentWithExamples): void {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const without = new Map(
    operations.map(({ summary, parameters }) => [
      summary,
      new Set(parameters.filter(({ examples }) => examples === undefined).map(({ name }) => name)),
    ]),
  )
  for (const { name, request } of requestsIn(collection.item)) {
    for (const field of [...(request?.url.query ?? []), ...(request?.header ?? [])]) {
      if (without.get(name)?.has(field.key)) field.disabled = true
    }
  }
}

function run({ run }: Packages, collection: Collection): Promise<Execution[]> {
  return new Promise((resolve, reject) => {
    run({ collection, timeoutRequest: 60_000 }, (error, summary) => {
      if (error === null) resolve(summary.run.executions)
      else reject(error)
    })
  })
}

const refused = { ...refusedInDemoShop, ...needsEarlierResponse }

/** Every request once, and every response 2xx, or the one that the list names. */
function assertAccepted(executions: readonly Execution[], document: DocumentWithExamples): void {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
  const idOf = new Map(operations.map(({ summary, operationId }) => [summary, operationId]))
  const faults = executions.flatMap(({ item: { name }, response, requestError }) => {
    const expected = refused[idOf.get(name) ?? '']?.status
    const code = response?.code ?? 0
    const isRight = expected === undefined ? Math.floor(code / 100) === 2 : code === expected
    return isRight ? [] : [`${name}: ${code} ${requestError?.message ?? response?.stream.toString()}`]
  })
  assert.deepEqual(faults, [])
  assert.deepEqual(
    executions.map(({ item }) => item.name).toSorted(),
    operations.map(({ summary }) => summary).toSorted(),
  )
}

async function startDemo(t: TestContext) {
  const { origin } = await startSandbox(t, { seed: 'demo' })
  return (await (await fetch(`${origin}/openapi.json`)).json()) as DocumentWithExamples
}

test('Postman imports the document and runs every operation in a demo shop, with its required parameters', async (t) => {
  const packages = findPackages()
  if (packages === undefined) return t.skip(notTested)
  const document = await startDemo(t)

  const collection = await convert(packages, document, { enableOptionalParameters: false })
  giveShops(collection)

  assertAccepted(await run(packages, collection), document)
})

test('Postman runs every operation in a demo shop with the examples of all its parameters', async (t) => {
  const packages = findPackages()
  if (packages === undefined) return t.skip(notTested)
  const document = await startDemo(t)

  const collection = await convert(packages, document)
  leaveOutInvented(collection, document)
  giveShops(collection)

  assertAccepted(await run(packages, collection), document)
})
