import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { faultyProxy } from '../support/faulty-proxy.ts'
import { compile, installClient, linesOf, readExamples } from '../support/installed-client.ts'
import { startService } from '../support/service.ts'

const bun = fileURLToPath(new URL('../../bench/node_modules/.bin/bun', import.meta.url))

/** What the client is for, from plain JavaScript. Skipped, and said so, where it is not installed. */
const runtimes = [
  { name: 'Node', command: process.execPath, args: [] },
  { name: 'Bun', command: existsSync(bun) ? bun : 'bun', args: [] },
  { name: 'Deno', command: 'deno', args: ['run', '--allow-net'] },
]

test('the package, installed into an empty project, keeps what the README says', async (t) => {
  const [project, { origin, key }] = await Promise.all([installClient(t), startService(t)])
  const examples = readExamples(origin, key)
  for (const [index, { code }] of examples.entries()) writeFileSync(join(project, `example-${index}.ts`), code)
  const installed = join(project, 'node_modules', '@petstore', 'client')

  await t.test('it has nothing but what it needs, and needs nothing', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>

    assert.deepEqual(readdirSync(installed).toSorted(), ['LICENSE', 'README.md', 'dist', 'package.json'])
    assert.deepEqual(readdirSync(join(project, 'node_modules', '@petstore')), ['client'])
    assert.equal(manifest['dependencies'], undefined)
  })

  await t.test('TypeScript, at its strictest, finds the examples right and mistakes wrong', async () => {
    writeFileSync(join(project, 'mistakes.ts'), mistakes)

    await compile(project)
  })

  assert.ok(examples.length >= 5)
  for (const [index, { heading, prints }] of examples.entries()) {
    await t.test(`the example of "${heading}" prints what it says`, async () => {
      assert.deepEqual(await linesOf(process.execPath, [`compiled/example-${index}.js`], project), prints)
    })
  }

  for (const { name, command, args } of runtimes) {
    const isHere = spawnSync(command, ['--version']).status === 0
    await t.test(`it works under ${name}`, { skip: !isHere && `${name} is not installed here` }, async (t) => {
      const faulty = await faultyProxy(t, origin)
      const silent = await faultyProxy(t, origin)
      faulty.next('swallow', 'halve', 'reset')
      silent.next('hang', 'hang')
      writeFileSync(join(project, 'tour.js'), tour(faulty.origin, silent.origin, key))

      assert.deepEqual(await linesOf(command, [...args, 'tour.js'], project), expectedOfTour)
    })
  }
})

const mistakes = `
  import { isPetStoreError, PetStore, type ShopEvent } from '@petstore/client'

  export function make(petstore: PetStore, event: ShopEvent, error: unknown) {
    // @ts-expect-error: no such status
    petstore.pets.list({ status: 'lost' })
    // @ts-expect-error: no name
    void petstore.pets.create({ categoryId: 1 })
    // @ts-expect-error: no such code
    isPetStoreError(error, 'teapot')
    // @ts-expect-error: an order has no name
    if (event.type === 'petstore.order.placed') return event.data.name
    if (isPetStoreError(error, 'conflict', 'gone')) return error.code satisfies 'conflict' | 'gone'
  }
`

/** A little of everything that depends on the runtime: requests, pages, streams, digits, faults, time. */
function tour(faulty: string, silent: string, key: string): string {
  return `
    import { ConnectionError, isPetStoreError, PetStore, TimeoutError } from '@petstore/client'
    const petstore = new PetStore({
      baseUrl: '${faulty}/v1',
      apiKey: '${key}',
      retry: { baseDelayMs: 2 },
      onWarning: ({ operation }) => console.log(operation),
    })
    const category = 4611686018427387904n + BigInt(Date.now())
    const pet = await petstore.pets.create({ name: 'Żółw 🐢', categoryId: category, status: 'available' })
    console.log(pet.name, pet.categoryId === category)
    await petstore.pets.create({ name: 'Second', categoryId: category })
    console.log(await petstore.pets.count({ categoryId: category }))
    for await (const { name } of petstore.pets.list({ categoryId: category, limit: 1 })) console.log(name)
    const read = await petstore.pets.get(pet.id)
    await petstore.pets.update(pet.id, { status: null }, { ifMatch: read })
    console.log(await petstore.pets.delete(pet.id, { ifMatch: read }).catch((error) => isPetStoreError(error, 'precondition_failed')))
    for await (const event of petstore.events.follow({ after: 0 })) {
      if (event.data.categoryId !== category) continue
      console.log(event.type)
      if (event.type === 'petstore.pet.updated') break
    }
    const silent = new PetStore({ baseUrl: '${silent}/v1', apiKey: '${key}', timeoutMs: 50, retry: { maxAttempts: 2, baseDelayMs: 2 } })
    console.log(await silent.pets.find(1).catch((error) => error instanceof TimeoutError && error.attempts))
    console.log(await petstore.pets.find(1, { signal: AbortSignal.abort('enough') }).catch((reason) => reason))
    const nowhere = new PetStore({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'key', retry: { baseDelayMs: 1 } })
    console.log(await nowhere.pets.find(1).catch((error) => error instanceof ConnectionError))
  `
}

const expectedOfTour = [
  'Żółw 🐢 true',
  '2',
  'Żółw 🐢',
  'Second',
  'getPet',
  'true',
  'petstore.pet.created',
  'petstore.pet.created',
  'petstore.pet.updated',
  '2',
  'enough',
  'true',
]
