import type { TestApp } from './app.ts'

/** The ids of a list in its order, read page by page; of events, their numbers. */
export async function idsOfAllPages({ send }: TestApp, start: string): Promise<unknown[]> {
  const ids: unknown[] = []
  for (let path: string | undefined = start; path !== undefined; ) {
    const { body, headers } = await send(path)
    ids.push(
      ...(body as { id: unknown; sequence?: string }[]).map(({ id, sequence }) => (sequence ? Number(sequence) : id)),
    )
    path = /<[^>]*(\/v1[^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  }
  return ids
}
