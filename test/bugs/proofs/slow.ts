import { type Proof, type ProofShop, statusOf } from './proof.ts'

/** Requests at once meet the gap of a bug only sometimes. */
const maxTries = 20

/** The statuses of two requests at once: those of the first try in which both succeed, otherwise of the last one. */
async function together(race: (attempt: number) => Promise<number[]>): Promise<number[]> {
  for (let attempt = 1; ; attempt++) {
    const statuses = (await race(attempt)).toSorted((one, other) => one - other)
    if (statuses.every((status) => status < 400) || attempt === maxTries) return statuses
  }
}

/** Whether it happens in one of the tries. */
async function ever(happens: (attempt: number) => Promise<boolean>): Promise<boolean> {
  for (let attempt = 1; attempt <= maxTries; attempt++) if (await happens(attempt)) return true
  return false
}

async function etagOf(shop: ProofShop): Promise<string> {
  return (await shop.send('/pets/1')).headers.get('etag') as string
}

/** Two changes at once, sent many times if the shop is right; and what takes long. They are in the slow tests. */
export const slowProofs: Record<string, Proof> = {
  'lost-update': {
    run: (shop) =>
      together(async (attempt) => {
        const headers = { 'if-match': await etagOf(shop) }
        const change = (name: string) => statusOf(shop, 'PATCH /pets/1', { name: `${name} ${attempt}` }, headers)
        return Promise.all([change('Max'), change('Tom')])
      }),
    right: [200, 412],
    wrong: [200, 200],
  },
  'double-sale': {
    run: (shop) =>
      together(async () => {
        const pet = (await shop.send('POST /pets', { name: 'Max', categoryId: 1, status: 'available' })).body
        const order = { petId: (pet as { id: number }).id }
        return Promise.all([statusOf(shop, 'POST /store/orders', order), statusOf(shop, 'POST /store/orders', order)])
      }),
    right: [201, 409],
    wrong: [201, 201],
  },
  'count-of-another-moment': {
    run: (shop) =>
      ever(async () => {
        const [list] = await Promise.all([
          shop.send('/pets?limit=100&categoryId=7', undefined, { prefer: 'count=exact' }),
          shop.send('POST /pets', { name: 'Max', categoryId: 7 }),
        ])
        return Number(list.headers.get('x-total-count')) !== (list.body as unknown[]).length
      }),
    right: false,
    wrong: true,
  },
  'half-a-transaction': {
    run: (shop) =>
      ever(async (attempt) => {
        const change = { filter: { ids: [1, 2] }, change: { categoryId: attempt } }
        const done = new AbortController()
        const bulk = shop.send('POST /pets/bulk', change).finally(() => done.abort())
        let hasSeenHalf = false
        do {
          const [one, other] = (await shop.send('/pets?limit=2')).body as { categoryId: number }[]
          hasSeenHalf ||= one?.categoryId !== other?.categoryId
        } while (!done.signal.aborted)
        await bulk
        // The demo shop has them in different categories before the first change.
        return attempt > 1 && hasSeenHalf
      }),
    right: false,
    wrong: true,
  },
  'slow-every-hundredth': {
    // A busy machine may be slow once, but not in every hundred.
    async run(shop) {
      for (let hundreds = 0; hundreds < 3; hundreds++) if ((await slowestOfHundred(shop)) < 990) return false
      return true
    },
    right: false,
    wrong: true,
  },
}

/** In milliseconds. */
async function slowestOfHundred(shop: ProofShop): Promise<number> {
  let slowest = 0
  for (let count = 0; count < 100; count++) {
    const startedAt = performance.now()
    await shop.send('/pets?limit=1')
    slowest = Math.max(slowest, performance.now() - startedAt)
  }
  return slowest
}
