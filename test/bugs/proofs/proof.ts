import type { TestSandbox } from '../../support/sandbox.ts'

/** A shop in which a bug is shown. */
export interface ProofShop {
  /** As `TestSandbox.send`, to this shop. */
  send(start: string, body?: unknown, headers?: Record<string, string>): ReturnType<TestSandbox['send']>
  /** Sends bytes and returns what came until the server closes the connection. */
  raw(bytes: string): Promise<string>
  key: string
  origin: string
}

/** What shows a bug: the same requests have one result in the honest shop, and another one in the wrong shop. */
export interface Proof {
  run: (shop: ProofShop) => Promise<unknown>
  right: unknown
  wrong: unknown
}

export const status = (start: string, body?: unknown, headers?: Record<string, string>) => async (shop: ProofShop) =>
  (await shop.send(start, body, headers)).status

export const pet = (members: object = {}) => ({ name: 'Rex', categoryId: 1, status: 'sold', ...members })
export const created = (members: object) => status('POST /pets', pet(members))

interface Listed {
  id: number
  status?: string
}

export const ids = (body: unknown) => (body as Listed[]).map(({ id }) => id)
export const listed = (path: string) => async (shop: ProofShop) => ids((await shop.send(path)).body)
export const nextOf = (headers: Headers) => /<[^>]*\/v1([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]

/** The ids of all pages, and what happens between them. */
export async function pages(shop: ProofShop, path: string, between = async () => {}): Promise<number[][]> {
  const found: number[][] = []
  for (let next: string | undefined = path; next !== undefined && found.length < 10; ) {
    const page = await shop.send(next)
    found.push(ids(page.body))
    next = nextOf(page.headers)
    if (found.length === 1) await between()
  }
  return found
}

type Sent = Parameters<ProofShop['send']>

/** The status of a response. */
export async function statusOf(shop: ProofShop, ...sent: Sent): Promise<number> {
  return (await shop.send(...sent)).status
}

/** A header of a response. */
export const headerOf =
  (name: string, ...sent: Sent) =>
  async (shop: ProofShop) =>
    (await shop.send(...sent)).headers.get(name)

/** The text of a response. */
export const textOf =
  (...sent: Sent) =>
  async (shop: ProofShop) =>
    (await shop.send(...sent)).text

/** Makes a key in the shop. */
export async function makeKey(shop: ProofShop, body: object): Promise<{ id: string; key: string }> {
  return (await shop.send('POST /keys', { name: 'till', ...body })).body as { id: string; key: string }
}

/** The status of a request with other headers than the key of the shop. */
export async function statusWith(shop: ProofShop, path: string, init: RequestInit): Promise<number> {
  const response = await fetch(`${shop.origin}/v1${path}`, init)
  await response.text()
  return response.status
}
