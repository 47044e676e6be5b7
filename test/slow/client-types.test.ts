import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { npmPackage } from '../support/cache.ts'
import { compile, installClient, linesOf } from '../support/installed-client.ts'

/** Uses every kind of type that the package exports, and nothing of DOM or Node. */
const program = `
  import { etagOf, isPetStoreError, PetStore, PetStoreError } from '@petstore/client'
  import { type FaultRule, SandboxPetStore, type SeedRecord } from '@petstore/client/sandbox'
  import { Webhooks, WebhookVerificationError } from '@petstore/client/webhooks'
  import type { CallOptions, List, Page, Pet, PetChange, Pets, PetStoreOptions, ShopEvent, WithEtag } from '@petstore/client'

  export async function use(options: PetStoreOptions, call: CallOptions): Promise<string | undefined> {
    const petstore = new PetStore(options)
    const list: List<Pet> = petstore.pets.list({ status: 'sold', limit: 5 }, call)
    for await (const pet of list) if (pet.status === 'sold') return pet.name
    for await (const page of list.pages()) return (page satisfies Page<Pet>).cursor
    for await (const event of petstore.events) return (event satisfies ShopEvent).id
    const pet: WithEtag<Pet> = await petstore.pets.create({ name: 'Rex', categoryId: 1n })
    const change: PetChange = {}
    change.name = 'Max'
    await petstore.pets.update(pet.id, change, { ifMatch: pet, timeoutMs: 5, signal: null })
    await petstore.pets.update(pet.id, { status: null }, { ifMatch: { ...pet }, headers: { 'x-app': 'web' } })
    await petstore.keys.create({ name: 'shop', expiresAt: new Date() })
    return etagOf(pet)
  }

  export async function useSandbox(options: PetStoreOptions, rules: FaultRule[]): Promise<string | undefined> {
    const { pets, sandbox } = new SandboxPetStore(options)
    const seed: SeedRecord[] = await pets.list().toArray()
    await sandbox.reset([...seed, { type: 'category', id: 1n, name: 'Dogs' }])
    await sandbox.clock({ now: new Date(), frozen: true })
    const [fault] = await sandbox.faults(rules)
    const [entry] = await sandbox.journal({ method: 'POST' })
    return fault?.fault === 'drip' ? entry?.headers['idempotency-key'] : (await sandbox.clock()).now
  }

  export async function receive(body: Uint8Array, headers: Record<string, string | string[] | undefined>, secrets: string[]) {
    try {
      const event = await Webhooks.verify(body, headers, secrets)
      return event.type === 'petstore.order.placed' ? event.data.petId : event.id
    } catch (error) {
      return error instanceof WebhookVerificationError ? (error.code satisfies string) : undefined
    }
  }

  const rex: Pet = { id: 1, name: 'Rex', categoryId: 1 }
  export const fake: Pick<Pets, 'find' | 'create' | 'update'> = {
    find: async (id) => (id === 1 ? rex : undefined),
    create: async (pet) => ({ id: 2, ...pet, status: pet.status ?? 'available' }),
    async update(): Promise<never> {
      const details = { operation: 'updatePet', requestId: 'r', attempts: 1, mayHaveSucceeded: false }
      throw new PetStoreError({ code: 'conflict', message: 'Open order.', status: 409 }, details)
    },
  }
  export const fakeList: List<Pet> = {
    async *[Symbol.asyncIterator]() {
      yield rex
    },
    async *pages() {
      yield { items: [rex], cursor: undefined }
    },
    page: async () => ({ items: [rex], cursor: undefined }),
    toArray: async () => [rex],
    first: async () => rex,
  }

  export function mistakes(petstore: PetStore, event: ShopEvent, error: unknown, found: Pet) {
    // @ts-expect-error: no such status
    petstore.pets.list({ status: 'lost' })
    // @ts-expect-error: no name
    void petstore.pets.create({ categoryId: 1 })
    // @ts-expect-error: an animal from a list has no ETag
    void petstore.pets.delete(1, { ifMatch: found })
    // @ts-expect-error: no such fault
    const rule: FaultRule = { fault: 'earthquake' }
    // @ts-expect-error: no such seed
    void new SandboxPetStore({ baseUrl: '', apiKey: rule.fault }).sandbox.reset('large')
    // @ts-expect-error: a parsed body cannot be verified
    void Webhooks.verify({ type: 'petstore.pet.created' }, {}, 'whsec_')
    // @ts-expect-error: only a sandbox has it
    void petstore.sandbox
    // @ts-expect-error: no such code
    isPetStoreError(error, 'teapot')
    // @ts-expect-error: an order has no name
    if (event.type === 'petstore.order.placed') return event.data.name
    if (isPetStoreError(error, 'conflict', 'gone')) return error.code satisfies 'conflict' | 'gone'
    return undefined
  }
`
/** `undici-types` declares what `undici` exports. */
const undici = `
  import { PetStore } from '@petstore/client'
  import { fetch as undiciFetch, ProxyAgent } from 'undici-types'

  const dispatcher = new ProxyAgent('http://proxy.example:3128')
  const common = { baseUrl: 'https://shop.example/v1', apiKey: 'key' }
  export const shops = [
    new PetStore({ ...common, fetch: (url, init) => undiciFetch(url, { ...init, dispatcher }) }),
    new PetStore({ ...common, fetch: undiciFetch }),
    new PetStore({ ...common, fetch }),
  ]
`
const run = `
  import { PetStore } from '@petstore/client'
  const print: (text: string) => void = (globalThis as any).console.log
  try {
    new PetStore({ baseUrl: 'nowhere', apiKey: 'key' })
  } catch (error) {
    print(String(error))
  }
`

test('the types of the package', async (t) => {
  const project = await installClient(t)
  for (const extension of ['mts', 'cts']) {
    writeFileSync(join(project, `program.${extension}`), program)
    writeFileSync(join(project, `run.${extension}`), run)
  }
  writeFileSync(join(project, 'program.ts'), program)
  const older = npmPackage('typescript', '5.9.3')

  const esModule = { include: ['program.mts'], compilerOptions: { module: 'node16' } }
  const commonJs = { include: ['program.cts'], compilerOptions: { module: 'node16' } }
  const bundler = { include: ['program.ts'], compilerOptions: { module: 'esnext', moduleResolution: 'bundler' } }
  const node10 = { include: ['program.ts'], compilerOptions: { module: 'commonjs', moduleResolution: 'node10' } }
  const bare = ['es2022']
  for (const [name, lib, { include, compilerOptions }, packages] of [
    ['ES modules', bare, esModule],
    ['CommonJS', bare, commonJs],
    ['bundlers', bare, bundler],
    ['ES modules, with DOM', [...bare, 'dom'], esModule],
    ['ES modules, with TypeScript 5', bare, esModule, older],
    ['CommonJS, with TypeScript 5', bare, commonJs, older],
    ['bundlers, with TypeScript 5', bare, bundler, older],
    // TypeScript 7 does not know it any more.
    ['moduleResolution node10, with TypeScript 5', bare, node10, older],
  ] as const) {
    const skip =
      name.endsWith('5') && older === undefined && 'NOT TESTED: TypeScript 5 is tried by npm run test:runtimes'
    await t.test(`they are right for ${name}`, { skip }, () =>
      compile(project, {
        include,
        compilerOptions: { ...compilerOptions, lib, target: 'es2022', noEmit: true },
        ...(packages !== undefined && { packages }),
      }),
    )
  }

  await t.test('they are right for @types/node without DOM', async () => {
    const types = join(project, 'node_modules', '@types')
    mkdirSync(types, { recursive: true })
    for (const name of ['@types/node', 'undici-types']) {
      symlinkSync(new URL(`../../node_modules/${name}`, import.meta.url), join(project, 'node_modules', name))
    }
    const compilerOptions = { lib: ['es2023'], types: ['node'], noEmit: true, skipLibCheck: true }
    writeFileSync(join(project, 'undici.mts'), undici)

    await compile(project, { include: ['program.mts', 'undici.mts'], compilerOptions })
  })

  for (const extension of ['mts', 'cts'] as const) {
    await t.test(`a program in .${extension} runs`, async () => {
      const file = `compiled/run.${extension === 'mts' ? 'mjs' : 'cjs'}`
      await compile(project, { include: [`run.${extension}`] })

      const [line] = await linesOf(process.execPath, [file], project)

      assert.match(line ?? '', /^TypeError: baseUrl must be /)
    })
  }
})
