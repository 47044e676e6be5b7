import { expectObject, header } from '../../shop/answers.ts'
import { type Check, reads, type Subject } from '../../shop/check.ts'
import type { Exchange } from '../../shop/exchange.ts'
import { expectStatus, fail } from '../../shop/expect.ts'
import { isObject, type Json, type JsonObject, member, textOf } from '../../shop/json.ts'
import type { Shop } from '../../shop/shop.ts'
import { knownOperations } from './known-operations.ts'

/** The operations that the contract has or names. */
const named = ['GET /pets', 'POST /pets', 'GET /pets/{petId}', 'GET /store/orders']
const ofContract = new Set(['listPets', 'createPet', 'getPet'])
const methods = ['get', 'post', 'put', 'patch', 'delete']

interface Operation {
  /** With the names of its parameters in braces. */
  path: string
  method: string
  described: Json | undefined
}

/** The served document. It is beside the base address and needs no key. */
async function documentOf({ shop }: Subject): Promise<{ served: Exchange; paths: JsonObject }> {
  const served = await shop.send({ method: 'GET', path: '/../openapi.json', authorization: null })
  const paths = member(expectObject(served, 200), 'paths')
  return { served, paths: isObject(paths) ? paths : fail(served, 'a document with paths') }
}

function operationsOf(paths: JsonObject): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    methods
      .filter((method) => isObject(member(item, method)))
      .map((method) => ({ path, method: method.toUpperCase(), described: member(item, method) })),
  )
}

function patternOf(path: string): RegExp {
  const parts = path.split(/\{[^{}]*\}/).map((part) => part.replaceAll(/[^\w/]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('[^/]+')}$`)
}

/** Of the paths, the one of an address: `/pets/bulk` is not `/pets/{petId}` if there is a `/pets/bulk`. */
function pathOf(address: string, paths: readonly string[]): string | undefined {
  return paths.includes(address) ? address : paths.find((path) => patternOf(path).test(address))
}

/** Operations that the shop was seen to serve, and those that it says it serves of all that are known. */
async function servedOperations({ shop }: Subject, documented: readonly string[]): Promise<Set<string>> {
  const known = Object.keys(knownOperations)
  const served = new Set(named)
  for (const path of known.filter((one) => !documented.includes(one))) {
    const allowed = allowedMethods(await askMethods(shop, path))
    const other = known.find((one) => one !== path && patternOf(one).test(path))
    // A shop that does not have it takes its last part for an id.
    if (other !== undefined && allowed.join() === allowedMethods(await askMethods(shop, other)).join()) continue
    for (const method of allowed) if (knownOperations[path]?.includes(method) === true) served.add(`${method} ${path}`)
  }
  for (const request of shop.servedOperations) {
    const [method, address = ''] = request.split(' ')
    served.add(`${method} ${pathOf(address, [...documented, ...known]) ?? address}`)
  }
  return served
}

function askMethods(shop: Shop, path: string): Promise<Exchange> {
  return shop.send({ method: 'OPTIONS', path: path.replaceAll(/\{[^{}]*\}/g, '1') })
}

/** Without those that every path has. */
function allowedMethods(asked: Exchange): string[] {
  const allowed = asked.response?.status === 204 ? (header(asked, 'allow') ?? '').split(/, */) : []
  return allowed.filter((one) => one !== 'HEAD' && one !== 'OPTIONS').toSorted()
}

/** A path of the document has the methods that the shop allows there, and no others. */
async function expectAllowed({ shop }: Subject, path: string, operations: readonly Operation[]): Promise<void> {
  const asked = await askMethods(shop, path)
  expectStatus(asked, 204)
  const described = operations.filter((one) => one.path === path).map(({ method }) => method)
  const [wanted, came] = [described.toSorted().join(', '), allowedMethods(asked).join(', ')]
  if (wanted !== came) fail(asked, `Allow with ${wanted}, as in the document`, came)
}

export const documentChecks: readonly Check[] = [
  reads('F-document-1', {
    name: 'the OpenAPI document is served without a key, and has every operation that the shop serves',
    sentence: 'The document describes every operation.',
    async run(subject) {
      const { served, paths } = await documentOf(subject)
      if (!textOf(member(expectObject(served, 200), 'openapi')).startsWith('3.')) fail(served, 'an OpenAPI document')
      const operations = operationsOf(paths)
      for (const operation of await servedOperations(subject, Object.keys(paths)))
        if (!operations.some(({ path, method }) => operation === `${method} ${path}`))
          fail(served, `the operation ${operation}`)
      for (const path of new Set(operations.map((operation) => operation.path)))
        await expectAllowed(subject, path, operations)
    },
  }),
  reads('F-document-2', {
    name: 'the document says what is deprecated, and what may change',
    sentence: 'Operations with an `x-stability` may change. The three of the contract have none.',
    async run(subject) {
      const { served, paths } = await documentOf(subject)
      const getPet = member(member(paths, '/pets/{petId}'), 'get')
      if (member(getPet, 'deprecated') !== true || member(getPet, 'x-sunset') !== '2030-12-05')
        fail(served, 'getPet to be deprecated, with the x-sunset 2030-12-05')
      for (const { described } of operationsOf(paths)) expectStability(served, described)
    },
  }),
]

function expectStability(served: Exchange, operation: Json | undefined): void {
  const [id, stability] = [textOf(member(operation, 'operationId')), member(operation, 'x-stability')]
  const isRight = ofContract.has(id) ? stability === undefined : stability === 'beta' || stability === 'experimental'
  if (!isRight) fail(served, `${id} with ${ofContract.has(id) ? 'no x-stability' : 'an x-stability'}`)
}
