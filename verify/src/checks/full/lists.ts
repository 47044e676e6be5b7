import { type Check, reads, type Subject, writes } from '../../shop/check.ts'
import { expectAllIds, expectHeader, expectIds, expectRefusal, header, idsOf, sendJson } from '../../shop/answers.ts'
import { expectPets, expectStatus, fail } from '../../shop/expect.ts'
import { nextQuery, nextTarget } from '../../shop/pages.ts'

const pagingSentence = 'Paging neither repeats nor skips an animal while others are added or removed.'
const searchSentence =
  'name: every word of the text is the beginning of a word of the name, without regard to case and accents.'
const sortSentence = 'sort: `id`, `-id`, `name` or `-name`.'

/** Adds animals whose names have a word that no other animal has. Returns the query that finds them. */
async function addNamed({ stock }: Subject, names: readonly string[]): Promise<{ ids: bigint[]; query: string }> {
  const word = stock.newName().replaceAll('-', 'x')
  const ids: bigint[] = []
  for (const name of names)
    ids.push((await stock.add({ name: JSON.stringify(`${stock.newName()} ${word} ${name}`) })).pet.id)
  return { ids, query: `/pets?limit=100&name=${word}` }
}

/** Five animals of a category that no other animal has. */
async function addCategory({ stock }: Subject): Promise<{ ids: bigint[]; query: string }> {
  const categoryId = stock.newCategoryId()
  const ids: bigint[] = []
  for (let count = 0; count < 5; count++)
    ids.push((await stock.add({ categoryId: String(categoryId), status: count % 2 ? '' : '"sold"' })).pet.id)
  return { ids, query: `categoryId=${categoryId}` }
}

export const pagingChecks: readonly Check[] = [
  writes('F-paging-1', {
    name: 'the links lead through all animals once, in order, and the last page has none',
    sentence: pagingSentence,
    async run(subject) {
      const { ids, query } = await addCategory(subject)
      await expectAllIds(subject.shop, `/pets?limit=2&${query}`, ids)
      const last = await subject.shop.list(`?limit=5&${query}`)
      if (nextTarget(last) !== undefined) fail(last, 'no Link to a next page', nextTarget(last))
    },
  }),
  writes('F-paging-2', {
    name: 'a page that follows a removed animal skips nothing',
    sentence: pagingSentence,
    async run(subject) {
      const { ids, query } = await addCategory(subject)
      const first = await subject.shop.list(`?limit=2&${query}`)
      expectIds(first, ids.slice(0, 2))
      for (const id of ids.slice(0, 2))
        expectStatus(await subject.shop.send({ method: 'DELETE', path: `/pets/${id}` }), 204)
      expectIds(await subject.shop.list(nextQuery(first)), ids.slice(2, 4))
    },
  }),
  writes('F-paging-3', {
    name: 'a link is absolute and keeps the filter, and Next-Cursor has its cursor',
    sentence:
      '`Link` has an absolute URL with the same filters and an opaque `cursor`. `Next-Cursor` has that cursor alone.',
    async run(subject) {
      const { query } = await addCategory(subject)
      const list = await subject.shop.list(`?limit=2&${query}`)
      const target = nextTarget(list)
      if (target === undefined || !URL.canParse(target)) return fail(list, 'a Link with an absolute URL')
      const { searchParams } = new URL(target)
      if (!`&${new URL(target).search.slice(1)}&`.includes(`&${query}&`)) fail(list, `${query} in the link`, target)
      expectHeader(list, 'Next-Cursor', searchParams.get('cursor') ?? 'the cursor of the link')
    },
  }),
  writes('F-paging-4', {
    name: 'the limit may change from page to page, the filter may not',
    sentence: 'A damaged cursor, or one used with other filters, is 400. The limit may change from page to page.',
    async run(subject) {
      const { ids, query } = await addCategory(subject)
      const list = await subject.shop.list(`?limit=2&${query}`)
      const cursor = encodeURIComponent(header(list, 'next-cursor') ?? fail(list, 'the header Next-Cursor'))
      expectIds(await subject.shop.list(`?limit=3&${query}&cursor=${cursor}`), ids.slice(2))
      expectRefusal(await subject.shop.list(`?limit=2&status=sold&cursor=${cursor}`), 400, 'invalid_parameter')
    },
  }),
  writes('F-paging-5', {
    name: 'Prefer: count=exact says how many animals match',
    sentence: '`count=exact` adds `X-Total-Count`: how many animals match the filters, on all pages together.',
    async run(subject) {
      const { query } = await addCategory(subject)
      const headers = { Prefer: 'count=exact' }
      const list = await subject.shop.send({ method: 'GET', path: `/pets?limit=1&${query}`, headers })
      expectHeader(list, 'X-Total-Count', '5')
      expectHeader(list, 'Preference-Applied', /count=exact/)
    },
  }),
]

export const filterChecks: readonly Check[] = [
  writes('F-filters-1', {
    name: 'categoryId returns all animals of the category, and combines with status',
    sentence: 'categoryId: returns only animals of this category.',
    async run(subject) {
      const { ids, query } = await addCategory(subject)
      expectIds(await subject.shop.list(`?limit=100&${query}`), ids)
      const sold = ids.filter((_, index) => index % 2 === 0)
      expectIds(await subject.shop.list(`?limit=100&status=sold&${query}`), sold)
    },
  }),
  writes('F-filters-2', {
    name: 'without=status returns the animals without a status, and contradicts status',
    sentence: 'without: returns only animals without a status. Refused together with `status`.',
    async run(subject) {
      const { ids, query } = await addCategory(subject)
      const without = ids.filter((_, index) => index % 2 === 1)
      expectIds(await subject.shop.list(`?limit=100&without=status&${query}`), without)
      expectRefusal(await subject.shop.list('?without=status&status=sold'), 400, 'invalid_parameter')
    },
  }),
  writes('F-filters-3', {
    name: 'id returns one animal, or none',
    sentence: 'id: returns only the animal with this id: the way to read one animal once getPet is gone.',
    async run({ shop, stock }) {
      const { pet } = await stock.add()
      const list = await shop.list(`?id=${pet.id}`)
      const [found, ...others] = expectPets(list)
      if (found?.id !== pet.id || found.name !== pet.name || others.length > 0) fail(list, `only the animal ${pet.id}`)
      expectIds(await shop.list('?id=-1'), [])
    },
  }),
  reads('F-filters-4', {
    name: 'a wrong parameter is named in Invalid-Fields',
    sentence: 'Invalid-Fields: the parameters that are wrong: their names in this document, separated by commas.',
    async run({ shop }) {
      const list = await shop.list('?categoryId=abc&limit=0')
      expectRefusal(list, 400, 'invalid_parameter')
      const names = (header(list, 'invalid-fields') ?? '').split(/, */).toSorted().join()
      if (names !== 'categoryId,limit') fail(list, 'Invalid-Fields: limit, categoryId', names || 'none')
    },
  }),
  reads('F-filters-5', {
    name: 'Prefer: handling=strict refuses an unknown parameter',
    sentence:
      '`handling=strict` refuses unknown query parameters and members of the body, which are otherwise ignored.',
    async run({ shop }) {
      const headers = { Prefer: 'handling=strict' }
      const list = await shop.send({ method: 'GET', path: '/pets?limit=1&colour=red', headers })
      expectRefusal(list, 400, 'invalid_parameter')
      expectHeader(list, 'Preference-Applied', /handling=strict/)
    },
  }),
  writes('F-filters-6', {
    name: 'Prefer: handling=strict refuses an unknown member of the body',
    sentence:
      '`handling=strict` refuses unknown query parameters and members of the body, which are otherwise ignored.',
    async run({ shop, stock }) {
      const body = (await stock.bodyOf()).replace('{', '{"colour":"red",')
      expectRefusal(await sendJson(shop, 'POST', '/pets', body, { Prefer: 'handling=strict' }), 400, 'invalid_body')
    },
  }),
]

export const searchChecks: readonly Check[] = [
  writes('F-search-1', {
    name: 'an animal is found by the beginning of words, without regard to case and accents',
    sentence: searchSentence,
    async run(subject) {
      const { ids, query } = await addNamed(subject, ['Zo\u00eb M\u00fcller', 'Rex'])
      for (const words of ['zoe', 'ZO\u00cb', 'mull zo'])
        await expectAllIds(subject.shop, `${query}%20${encodeURIComponent(words)}`, ids.slice(0, 1))
    },
  }),
  writes('F-search-2', {
    name: 'every word of the text counts, and only from its beginning',
    sentence: searchSentence,
    async run(subject) {
      const { query } = await addNamed(subject, ['Zebra'])
      for (const words of ['zebra tiger', 'ebra'])
        await expectAllIds(subject.shop, `${query}%20${encodeURIComponent(words)}`, [])
    },
  }),
  reads('F-search-3', {
    name: 'a text without a word is 400',
    sentence: 'name: a text without a word is refused.',
    async run({ shop }) {
      expectRefusal(await shop.list('?name=!!'), 400, 'invalid_parameter')
    },
  }),
  writes('F-sort-1', {
    name: 'sort=-id returns the newest first, also from page to page',
    sentence: sortSentence,
    async run(subject) {
      const { ids, query } = await addCategory(subject)
      await expectAllIds(subject.shop, `/pets?limit=2&sort=-id&${query}`, ids.toReversed())
    },
  }),
  writes('F-sort-2', {
    name: 'sort=name orders by the words of the name, and -name is the reverse',
    sentence: sortSentence,
    async run(subject) {
      // Their first words are the same; the marks are sorted away by category.
      const { shop, stock } = subject
      const categoryId = String(stock.newCategoryId())
      const ids: bigint[] = []
      for (const name of ['b', '\u00c4', 'C'])
        ids.push((await stock.add({ name: JSON.stringify(`${name} ${stock.newName()}`), categoryId })).pet.id)
      const [b, a, c] = ids as [bigint, bigint, bigint]
      expectIds(await shop.list(`?sort=name&categoryId=${categoryId}`), [a, b, c])
      expectIds(await shop.list(`?sort=-name&categoryId=${categoryId}`), [c, b, a])
    },
  }),
  reads('F-sort-3', {
    name: 'another sort is 400',
    sentence: sortSentence,
    async run({ shop }) {
      expectRefusal(await shop.list('?sort=status'), 400, 'invalid_parameter')
      if (idsOf(await shop.list('?sort=id&limit=1')).length > 1) fail(undefined, 'at most one animal')
    },
  }),
]
