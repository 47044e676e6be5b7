import type { IncomingMessage } from 'node:http'
import type { TestContext } from 'node:test'
import { PetStore, type ShopEvent } from '../../client/src/index.ts'
import { type Conversation, streamingServer } from './streaming-server.ts'

export const rex = { name: 'Rex', categoryId: 9007199254740993n, status: 'available' } as const

export async function take(events: AsyncIterable<ShopEvent>, count: number): Promise<ShopEvent[]> {
  const taken: ShopEvent[] = []
  for await (const event of events) {
    taken.push(event)
    if (taken.length === count) break
  }
  return taken
}

/** A client of a server that answers every request with a stream. */
export async function follower(
  t: TestContext,
  answer: (conversation: Conversation) => void,
  headers?: Record<string, string>,
): Promise<{ petstore: PetStore; requests: IncomingMessage[] }> {
  const { origin, requests } = await streamingServer(t, answer, headers)
  return { petstore: new PetStore({ baseUrl: `${origin}/v1`, apiKey: 'key' }), requests }
}

export function eventOf(id: string): object {
  return {
    specversion: '1.0',
    id,
    source: 'http://shop.example/v1',
    type: 'petstore.pet.created',
    subject: 'pets/1',
    time: '2026-11-15T09:30:00Z',
    datacontenttype: 'application/json',
    sequence: id.padStart(19, '0'),
    data: { id: 1, name: 'Rex', categoryId: 1 },
  }
}

export function frame(number: string, id = number): string {
  return `id: ${id}\ndata: ${JSON.stringify({ ...eventOf(number), id })}\n\n`
}

export function lastEventIds(requests: readonly IncomingMessage[]): unknown[] {
  return requests.map(({ headers }) => headers['last-event-id'])
}
