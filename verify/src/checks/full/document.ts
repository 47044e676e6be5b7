import { expectObject, header } from '../../shop/answers.ts'
import { type Check, reads, type Subject } from '../../shop/check.ts'
import type { Exchange } from '../../shop/exchange.ts'
import { expectStatus, fail } from '../../shop/expect.ts'
import { isObject, type Json, type JsonObject, member, textOf } from '../../shop/json.ts'

/** The operations that the contract has or names. */
const named = ['GET /pets', 'POST /pets', 'GET /pets/1', 'GET /store/orders']
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

/** Whether an address is one of the path. */
function matches({ path, method }: Operation, request: string): boolean {
  const parts = path.split(/\{[^{}]*\}/).map((part) => part.replaceAll(/[^\w/]/g, String.raw`\$&`))
  return new RegExp(`^${method} ${parts.join('[^/]+')}$`).test(request)
}

/** A path of the document has the methods that the shop allows there, and no others. */
async function expectAllowed({ shop }: Subject, path: string, operations: readonly Operation[]): Promise<void> {
  const asked = await shop.send({ method: 'OPTIONS', path: path.replaceAll(/\{[^{}]*\}/g, '1') })
  expectStatus(asked, 204)
  const described = operations.filter((one) => one.path === path).map(({ method }) => method)
  const allowed = (header(asked, 'allow') ?? '').split(/, */).filter((one) => one !== 'HEAD' && one !== 'OPTIONS')
  const [wanted, came] = [described.toSorted().join(', '), allowed.toSorted().join(', ')]
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
      for (const request of [...named, ...subject.shop.servedOperations])
        if (!operations.some((operation) => matches(operation, request))) fail(served, `the operation ${request}`)
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
