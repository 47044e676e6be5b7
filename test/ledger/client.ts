export const apiKey = 'a-key-that-outlives-the-failovers'
/** Longer than the service takes for any response. */
const timeoutMs = 20_000

export interface Animal {
  id: number
  name: string
  categoryId: number
  status?: string
}

export interface Order {
  id: number
  petId: number
  status: string
}

/** An event as it is on the wire. */
export interface WireEvent {
  id: string
  type: string
  subject: string
  data: Animal | Order
}

export interface Asked {
  body?: unknown
  headers?: Record<string, string>
}

/** Sends a request such as "POST /pets". */
export function ask(origin: string, start: string, { body, headers = {} }: Asked = {}): Promise<Response> {
  const [method = '', path = ''] = start.split(' ')
  return fetch(`${origin}/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeoutMs),
  })
}

/** What follows /v1 in the link to the next page. */
export function nextOf({ headers }: Response): string | undefined {
  return /\/v1(\/[^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
}

/** Reads all pages of a list. */
export async function readAll<Item>(origin: string, path: string): Promise<Item[]> {
  const found: Item[] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const response: Response = await ask(origin, `GET ${next}`)
    if (response.status !== 200) throw new Error(`A page has status ${response.status}: ${await response.text()}`)
    found.push(...((await response.json()) as Item[]))
    next = nextOf(response)
  }
  return found
}
