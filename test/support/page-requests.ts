import type { Storage } from '../../src/inventory/storage.ts'
import type { Answer } from './app.ts'

/** Animals 1, 2, 3, …: of categories 0, 1, 2 in turn, and available, pending, sold, without a status in turn. */
export async function addAnimals(storage: Storage, count: number): Promise<void> {
  const statuses = ['available', 'pending', 'sold'] as const
  for (let index = 0; index < count; index++) {
    const status = statuses[index % 4]
    await storage.pets.create({ name: `animal ${index}`, categoryId: BigInt(index % 3), ...(status && { status }) })
  }
}

export function nextOf(answer: Answer): string | undefined {
  return /^<([^<>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1]
}

export function idsOf(answer: Answer): number[] {
  return (answer.body as { id: number }[]).map(({ id }) => id)
}

export function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
