import { Webhook } from 'standardwebhooks'

export interface TourStops {
  /** The module to import the client from. */
  module: string
  /** The module of its entry for webhooks. */
  webhooks: string
  key: string
  /** A base address whose first requests meet the faults below. */
  faulty: string
  /** A base address that never responds. */
  silent: string
  /** A base address where nothing listens. */
  nowhere: string
}

export const faultsOfTour = ['swallow', 'halve', 'reset'] as const

const signed = signedWebhook()

function signedWebhook() {
  const body = '{"type":"petstore.pet.created","data":{"id":9007199254740993,"name":"Żółw 🐢","categoryId":5}}'
  const timestamp = 1_763_371_800
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const signature = new Webhook(secret).sign('17', new Date(timestamp * 1_000), body)
  const headers = { 'webhook-id': '17', 'webhook-timestamp': String(timestamp), 'webhook-signature': signature }
  return { body, timestamp, secret, headers }
}

/** A program that uses everything that depends on the runtime: requests, pages, streams, digits, faults, time, cryptography. */
export function clientTour({ module, webhooks, key, faulty, silent, nowhere }: TourStops): string {
  return `
    const { ConnectionError, isPetStoreError, PetStore, TimeoutError } = await import('${module}')
    const petstore = new PetStore({
      baseUrl: '${faulty}',
      apiKey: '${key}',
      retry: { baseDelayMs: 2 },
      onWarning: ({ operation }) => print(operation),
    })
    const inBrowser = globalThis.document !== undefined
    const category = 4611686018427387904n + BigInt(Date.now())
    const pet = await petstore.pets.create({ name: 'Żółw 🐢', categoryId: category, status: 'available' })
    print(pet.name, pet.categoryId === category)
    await petstore.pets.create({ name: 'Second', categoryId: category })
    print(await petstore.pets.count({ categoryId: category }))
    for await (const { name } of petstore.pets.list({ categoryId: category, limit: 1 })) print(name)
    const read = await petstore.pets.get(pet.id)
    await petstore.pets.update(pet.id, { status: null }, { ifMatch: read })
    const isStale = (error) => isPetStoreError(error, 'precondition_failed')
    print(await petstore.pets.delete(pet.id, { ifMatch: read }).catch(isStale))
    for await (const event of petstore.events.follow({ after: 0 })) {
      if (event.data.categoryId !== category) continue
      print(event.type)
      if (event.type === 'petstore.pet.updated') break
    }
    async function* file() {
      yield '{"name":"\\ud83d'
      yield '\\udc22","categoryId":5}\\n'
    }
    print((await petstore.pets.import(inBrowser ? await new Response('{"name":"Blob","categoryId":5}').blob() : file(), {
      format: 'ndjson',
    })).added)
    const waiting = petstore.events.follow()
    const nothing = waiting.next()
    setTimeout(() => waiting.return(), 50)
    print((await nothing).done)
    const retry = { maxAttempts: 2, baseDelayMs: 2 }
    const silent = new PetStore({ baseUrl: '${silent}', apiKey: '${key}', timeoutMs: 50, retry })
    print(await silent.pets.find(1).catch((error) => error instanceof TimeoutError && error.attempts))
    print(await petstore.pets.find(1, { signal: AbortSignal.abort('enough') }).catch((reason) => reason))
    const nowhere = new PetStore({ baseUrl: '${nowhere}', apiKey: 'key', retry: { baseDelayMs: 1 } })
    print(await nowhere.pets.find(1).catch((error) => error instanceof ConnectionError && error.attempts))
    const { Webhooks } = await import('${webhooks}')
    const headers = new Headers(${JSON.stringify(signed.headers)})
    const options = { now: new Date(${signed.timestamp * 1000}) }
    const event = await Webhooks.verify(${JSON.stringify(signed.body)}, headers, '${signed.secret}', options)
    print(event.data.name, event.data.id === 9007199254740993n)
    print(await Webhooks.verify('{}', headers, '${signed.secret}', options).catch(({ code }) => code))
  `
}

/** The output of the program. */
export const linesOfTour = [
  'Żółw 🐢 true',
  '2',
  'Żółw 🐢',
  'Second',
  'getPet',
  'true',
  'petstore.pet.created',
  'petstore.pet.created',
  'petstore.pet.updated',
  '1',
  'true',
  '2',
  'enough',
  '4',
  'Żółw 🐢 true',
  'wrong_signature',
]
