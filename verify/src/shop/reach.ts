import type { Exchange } from './exchange.ts'
import { Skipped, statuses } from './expect.ts'
import type { Shop } from './shop.ts'

/**
 * Whether one of the three operations sends an HTTP response other than 429, and one other than 401. Without this, each
 * check would wait in vain. Returns a sentence that says why not.
 */
export async function reach(shop: Shop): Promise<string | undefined> {
  try {
    // Shows also which animals are not ours.
    const list = await shop.list('?limit=100')
    if (!shop.hasResponded) await shop.get(1n)
    if (!shop.hasResponded) await shop.send({ method: 'POST', path: '/pets', body: '{}', authorization: null })
    if (list.response?.status === 401) {
      // Before the first create: it shows which animals are not ours.
      const name = await otherNameOfKey(shop)
      if (await isRefused(shop)) {
        if (name === undefined) return 'The shop refuses the key: every operation is 401.'
        shop.authorizationName = name
      }
    }
    // A shop that has no animal yet has a key. It has empty lists, as one has that has none of a status.
    if (list.response?.status === 200) {
      for (const authorization of [null, 'Bearer x'])
        for (const path of ['/pets', '/pets/1']) await shop.send({ method: 'GET', path, authorization })
      for (const query of [
        '',
        '?limit=1',
        ...statuses.flatMap((status) => [`?status=${status}`, `?status=${status}&limit=5`]),
      ])
        await shop.list(query)
    }
    // Nor has it any animal by its id.
    for (const id of [1n, 0n, 6407151883362954193n]) await shop.get(id)
  } catch (error) {
    if (!(error instanceof Skipped)) throw error
    return `${error.message[0]?.toUpperCase()}${error.message.slice(1)}.`
  }
  return shop.hasResponded ? undefined : `The server ${shop.lastFault ?? 'was not asked'}.`
}

/** Whether the other two operations refuse the key too. */
async function isRefused(shop: Shop): Promise<boolean> {
  const is401 = ({ response }: Exchange) => response?.status === 401
  return is401(await shop.get(1n)) && (shop.options.readOnly || is401(await shop.create('{}')))
}

/** The spelling under which a shop finds its header. Names of headers have no case: C-4-10 and C-5-12 report that. */
async function otherNameOfKey(shop: Shop): Promise<string | undefined> {
  for (const name of ['authorization', 'AUTHORIZATION']) {
    const headers = { [name]: `Bearer ${shop.options.key}` }
    const list = await shop.send({ method: 'GET', path: '/pets?limit=100', headers, authorization: null })
    if (list.response?.status === 200) return name
  }
  return undefined
}
