import { created, listed, pages, pet, type Proof, status } from './proof.ts'

/** The demo shop has ten animals. */
const all = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]

/** Requests, and the pages of a list. */
export const requestProofs: Record<string, Proof> = {
  'limit-101-accepted': { run: status('/pets?limit=101'), right: 400, wrong: 200 },
  'limit-0-accepted': { run: status('/pets?limit=0'), right: 400, wrong: 200 },
  'limit-read-loosely': { run: status('/pets?limit=1e1'), right: 400, wrong: 200 },
  'limit-twice': { run: status('/pets?limit=1&limit=2'), right: 400, wrong: 200 },
  'status-filter-ignores-case': { run: status('/pets?status=SOLD'), right: 400, wrong: 200 },
  'unknown-status-ignored': { run: status('/pets?status=lost'), right: 400, wrong: 200 },
  'unknown-parameter-refused': { run: status('/pets?utm_source=mail'), right: 200, wrong: 400 },
  'name-not-required': { run: created({ name: undefined }), right: 400, wrong: 201 },
  'category-not-required': { run: created({ categoryId: undefined }), right: 400, wrong: 201 },
  'blank-name-accepted': { run: created({ name: '  ' }), right: 400, wrong: 201 },
  'name-trimmed': {
    run: async (shop) => ((await shop.send('POST /pets', pet({ name: ' Rex ' }))).body as { name: string }).name,
    right: ' Rex ',
    wrong: 'Rex',
  },
  'category-as-text': { run: created({ categoryId: '1' }), right: 400, wrong: 201 },
  'category-fraction-cut': { run: created({ categoryId: 1.5 }), right: 400, wrong: 201 },
  'negative-category-refused': { run: created({ categoryId: -7 }), right: 201, wrong: 400 },
  'null-status-accepted': { run: created({ status: null }), right: 400, wrong: 201 },
  'status-in-capitals-accepted': { run: created({ status: 'SOLD' }), right: 400, wrong: 201 },
  'any-content-type': {
    run: status('POST /pets', pet(), { 'content-type': 'text/plain' }),
    right: 415,
    wrong: 201,
  },
  'text-after-the-body': {
    run: status('POST /pets', `${JSON.stringify(pet())}x`, { 'content-type': 'application/json' }),
    right: 400,
    wrong: 201,
  },
  'id-with-zeros': { run: status('/pets/001'), right: 404, wrong: 200 },
  'slash-at-the-end': { run: status('/pets/'), right: 404, wrong: 200 },

  'default-limit-25': {
    async run(shop) {
      for (let count = 0; count < 11; count++) await shop.send('POST /pets', pet())
      return (await listed('/pets')(shop)).length
    },
    right: 20,
    wrong: 21,
  },
  'limit-ignored-with-status': { run: listed('/pets?status=pending&limit=1'), right: [2], wrong: [2, 8] },
  'page-repeats-a-row': {
    run: (shop) => pages(shop, '/pets?limit=5'),
    right: [all.slice(0, 5), all.slice(5)],
    wrong: [all.slice(0, 5), [5, 6, 7, 8, 9], [9, 10]],
  },
  'page-skips-after-delete': {
    run: (shop) => pages(shop, '/pets?limit=5', async () => void (await shop.send('DELETE /pets/1'))),
    right: [all.slice(0, 5), all.slice(5)],
    wrong: [all.slice(0, 5), all.slice(6)],
  },
  'last-animal-not-paged': {
    run: (shop) => pages(shop, '/pets?limit=9'),
    right: [all.slice(0, 9), [10]],
    wrong: [all.slice(0, 9)],
  },
  'filter-forgotten-on-page-2': {
    run: (shop) => pages(shop, '/pets?status=pending&limit=1'),
    right: [[2], [8]],
    wrong: [[2], [3], [4], [5], [6], [7], [8], [9], [10]],
  },
  'link-to-an-empty-page': {
    run: (shop) => pages(shop, '/pets?limit=10'),
    right: [all],
    wrong: [all, []],
  },
  'newest-first': { run: listed('/pets?limit=3'), right: [1, 2, 3], wrong: [10, 9, 8] },
  'link-is-relative': {
    run: async (shop) => (await shop.send('/pets?limit=1')).headers.get('link')?.startsWith('<http'),
    right: true,
    wrong: false,
  },
  'damaged-cursor-restarts': { run: status('/pets?cursor=x'), right: 400, wrong: 200 },
  'available-includes-none': {
    run: listed('/pets?status=available'),
    right: [1, 3, 5, 6, 7, 10],
    wrong: [1, 3, 5, 6, 7, 9, 10],
  },
  'count-ignores-the-filter': {
    run: async (shop) =>
      (await shop.send('/pets?status=sold', undefined, { prefer: 'count=exact' })).headers.get('x-total-count'),
    right: '1',
    wrong: '10',
  },
}
