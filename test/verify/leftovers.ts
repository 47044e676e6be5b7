import assert from 'node:assert/strict'
import type { Answer, TestApp } from '../support/app.ts'

/** What a run may leave behind: nothing but closed orders and revoked keys. */
export async function assertNothingLeft({ send: ask }: TestApp): Promise<void> {
  for (const path of ['/v1/pets?name=verify', '/v1/categories?name=verify', '/v1/store/orders?status=placed'])
    assert.deepEqual((await ask(path)).body, [], path)
  for (const [path, member] of [
    ['/v1/invitations', 'name'],
    ['/v1/webhooks', 'description'],
  ] as const) {
    for (let next: string | undefined = `${path}?limit=100`; next !== undefined; ) {
      const page: Answer = await ask(next)
      const items = page.body as Record<string, string | undefined>[]
      assert.deepEqual(
        items.filter((item) => item[member]?.startsWith('verify')),
        [],
        path,
      )
      next = /<http:\/\/[^/]*([^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1]
    }
  }
  const keys = (await ask('/v1/keys')).body as { name: string; state: string }[]
  assert.deepEqual(
    keys.filter(({ name, state }) => name.startsWith('verify') && state === 'active'),
    [],
  )
}
