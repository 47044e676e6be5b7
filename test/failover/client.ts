import type { Animal, Creation } from './ledger.ts'

export const apiKey = 'a-key-that-outlives-the-failovers'
/** Longer than the service takes for any answer, in milliseconds. */
const patience = 20_000

/** Asks for an animal, with the key of the creation unless it is to go without. */
export function create(origin: string, { key, animal }: Creation, isRepeatable = true): Promise<Response> {
  return fetch(`${origin}/v1/pets`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      ...(isRepeatable && { 'idempotency-key': key }),
    },
    body: JSON.stringify(animal),
    signal: AbortSignal.timeout(patience),
  })
}

export function list(origin: string, query: string): Promise<Response> {
  return fetch(`${origin}/v1/pets?${query}`, {
    headers: { authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(patience),
  })
}

/** Every animal there is, page by page. */
export async function allAnimals(origin: string): Promise<Animal[]> {
  const found: Animal[] = []
  let query: string | undefined = 'limit=100'
  while (query !== undefined) {
    const answer = await list(origin, query)
    if (answer.status !== 200) throw new Error(`A page was answered with ${answer.status}: ${await answer.text()}`)
    found.push(...((await answer.json()) as Animal[]))
    query = /\?([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
  }
  return found
}
