import assert from 'node:assert/strict'
import { createReadStream, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { setImmediate as nextLoopTick } from 'node:timers/promises'
import { isPetStoreError, PetStore, TimeoutError } from '../../client/src/index.ts'
import { startClient } from '../support/client.ts'
import { temporaryFolder } from '../support/engines.ts'

const header = 'name,categoryId\n'
const part = 'Rex,1\n'.repeat(1_000)

/** A file without an end, which counts what was read of it and knows whether its reader has left. */
function endlessFile() {
  const left = Promise.withResolvers<void>()
  const file = {
    parts: 0,
    left: left.promise,
    async *[Symbol.asyncIterator]() {
      try {
        yield header
        for (;;) {
          file.parts++
          yield part
          await nextLoopTick()
        }
      } finally {
        left.resolve()
      }
    },
  }
  return file
}

for (const [end, options] of [
  ['an abort', () => ({ signal: AbortSignal.timeout(100) })],
  ['a timeout', () => ({ timeoutMs: 100 })],
] as const) {
  test(`after ${end}, an import reads no more of its source`, async (t) => {
    const { petstore, proxy } = await startClient(t)
    const file = endlessFile()
    proxy.next('hang')

    await assert.rejects(petstore.pets.import(file, options()), { name: 'TimeoutError' })
    await file.left
    const { parts } = file
    for (let tick = 0; tick < 100; tick++) await nextLoopTick()

    assert.equal(file.parts, parts)
  })
}

test('after a refusal, an import reads no more of its source', async (t) => {
  const { petstore } = await startClient(t, { apiKey: 'pet_live_unknown' })
  const file = endlessFile()

  await assert.rejects(petstore.pets.import(file), (error) => isPetStoreError(error, 'unauthorized'))
  await file.left
})

test('a ReadableStream is cancelled when the import fails', async (t) => {
  const { petstore, proxy } = await startClient(t)
  const cancelled = Promise.withResolvers<unknown>()
  const stream = new ReadableStream({
    pull: (controller) => controller.enqueue(new TextEncoder().encode(part)),
    cancel: cancelled.resolve,
  })
  proxy.next('hang')

  await assert.rejects(petstore.pets.import(stream, { timeoutMs: 50 }), TimeoutError)
  await cancelled.promise
})

test('a file is closed if the service cannot be reached, and if the call was aborted before', async (t) => {
  const name = join(temporaryFolder(t), 'pets.csv')
  writeFileSync(name, header + part)
  const nowhere = new PetStore({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'key' })

  for (const signal of [undefined, AbortSignal.abort('enough')]) {
    const file = createReadStream(name)
    const closed = new Promise((resolve) => file.on('close', resolve))

    await assert.rejects(nowhere.pets.import(file, { signal }))
    await closed
  }
})

test('a stream that a function opens after the call has ended is cancelled', async (t) => {
  const { petstore, proxy } = await startClient(t)
  const asked = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<ReadableStream>()
  const cancelled = Promise.withResolvers<unknown>()
  const aborter = new AbortController()
  const open = () => {
    asked.resolve()
    return opened.promise
  }
  const importing = petstore.pets.import(open, { signal: aborter.signal })

  await asked.promise
  aborter.abort('enough')
  await assert.rejects(importing, (reason) => reason === 'enough')
  opened.resolve(new ReadableStream({ pull: (controller) => controller.enqueue(part), cancel: cancelled.resolve }))

  await cancelled.promise
  assert.equal(proxy.requests.length, 0)
})

test('a stream of Node that is silent is destroyed when the import is aborted', async (t) => {
  const { petstore, proxy } = await startClient(t)
  const aborter = new AbortController()
  let reads = 0
  const file = new Readable({
    read() {
      if (++reads === 1) this.push(header)
      // Its reader waits for more.
      else setImmediate(() => aborter.abort('enough'))
    },
  })
  const closed = new Promise((resolve) => file.on('close', resolve))
  proxy.next('hang')

  await assert.rejects(petstore.pets.import(file, { signal: aborter.signal }), (reason) => reason === 'enough')
  await closed
})

test('an error of the source is passed on as it is', async (t) => {
  const { petstore } = await startClient(t)
  const ownError = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' })

  async function* brokenRows() {
    yield header + 'Rex,1\n'
    throw ownError
  }
  const brokenStream = new ReadableStream({ pull: (controller) => controller.error(ownError) })

  for (const file of [brokenRows(), brokenStream]) {
    await assert.rejects(petstore.pets.import(file), (error) => error === ownError)
  }
})

test('a file that a function opens is not read again after its own error', async (t) => {
  const { petstore } = await startClient(t)
  const ownError = new Error('The disk failed.')
  let opened = 0
  async function* brokenRows() {
    opened++
    yield header
    throw ownError
  }

  await assert.rejects(petstore.pets.import(brokenRows), (error) => error === ownError)
  assert.equal(opened, 1)
})

test('a part of a file that is neither text nor bytes is a TypeError', async (t) => {
  const { petstore } = await startClient(t)
  async function* rows() {
    yield header
    yield 5 as unknown as string
  }

  await assert.rejects(petstore.pets.import(rows()), /^TypeError: A part of a file must be a string or bytes/)
})

test('a character that is split between two strings stays whole', async (t) => {
  const { petstore } = await startClient(t)

  async function* split() {
    yield `${header}Rex `
    yield '\ud83d'
    yield ''
    yield '\udc36,1\nTom \ud83d'
    yield new TextEncoder().encode(',1\n')
  }

  assert.equal((await petstore.pets.import(split())).added, 2)
  const names = (await Array.fromAsync(petstore.pets.list())).map(({ name }) => name)
  assert.deepEqual(names, ['Rex 🐶', 'Tom \ufffd'])
})

test('a browser, which cannot send a stream, says so and closes it', async (t) => {
  Object.assign(globalThis, { location: { href: 'http://shop.example/' } })
  t.after(() => Reflect.deleteProperty(globalThis, 'location'))
  const { petstore, proxy } = await startClient(t)
  const file = endlessFile()

  await assert.rejects(petstore.pets.import(file), /^TypeError: A browser cannot send a stream/)
  await file.left
  assert.equal(proxy.requests.length, 0)
  const whole = await new Response(new Blob([header, part]).stream()).blob()
  assert.equal((await petstore.pets.import(whole)).added, 1_000)
})

for (const [name, file] of [
  ['a string', header + part],
  ['bytes', new TextEncoder().encode(header + part)],
  ['a Blob', new Blob([header, part])],
  ['a stream', new Blob([header, part]).stream()],
  // Of another realm, or of a library.
  ['an object like a Blob', { size: 6_016, stream: () => new Blob([header, part]).stream() }],
] as const) {
  test(`an import tells how much of ${name} was read`, async (t) => {
    const { petstore } = await startClient(t)
    const progress: number[] = []

    const { added } = await petstore.pets.import(file, { onProgress: ({ bytes }) => progress.push(bytes) })

    assert.equal(added, 1_000)
    assert.equal(progress.at(-1), header.length + part.length)
    assert.deepEqual(
      progress,
      progress.toSorted((a, b) => a - b),
    )
  })
}

test('a file that a function opens is sent again, and a later call with its key adds the rest', async (t) => {
  const { petstore, proxy } = await startClient(t)
  let opened = 0
  async function* rows() {
    opened++
    yield header
    yield part
  }
  proxy.next('reset', 'swallow')

  assert.equal((await petstore.pets.import(rows, { idempotencyKey: 'stock' })).added, 1_000)
  assert.equal((await petstore.pets.import(rows, { idempotencyKey: 'stock' })).added, 1_000)

  assert.equal(opened, 4)
  assert.equal(await petstore.pets.count(), 1_000)
})

test('an error of a function that opens the file is passed on', async (t) => {
  const { petstore, proxy } = await startClient(t)
  const fault = new Error('No such file.')

  await assert.rejects(
    petstore.pets.import(() => Promise.reject(fault)),
    (error) => error === fault,
  )
  assert.equal(proxy.requests.length, 0)
})
