import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findLink } from '../../client/src/link.ts'
import { UnexpectedResponseError } from '../../client/src/index.ts'
import { startClient } from '../support/client.ts'
import { jsonAnswer } from '../support/made-up-answers.ts'
import { rex } from '../support/client-lists.ts'

test('the key is not sent to the host of a link', async (t) => {
  const { petstore, proxy, service } = await startClient(t, {}, { baseUrls: { production: 'https://pets.example/v1' } })
  for (let id = 1; id <= 3; id++) await service.create({ name: `Pet ${id}`, categoryId: 1 })

  assert.equal((await Array.fromAsync(petstore.pets.list({ limit: 1 }))).length, 3)
  assert.equal(proxy.requests.length, 3)
})

test('a list whose next page is the same page ends with an error', async (t) => {
  const { petstore, proxy } = await startClient(t)
  const page = jsonAnswer(200, [rex], { link: '</v1/pets?cursor=a>; rel="next"' })
  proxy.next(page, page, page)

  await assert.rejects(Array.fromAsync(petstore.pets.list()), UnexpectedResponseError)
  assert.equal(proxy.requests.length, 2)
})

for (const length of [2, 3, 7]) {
  test(`a list whose links are a cycle of ${length} ends with an error`, async (t) => {
    const { petstore, proxy } = await startClient(t)
    const pages = Array.from({ length: 5 * length }, (_, index) =>
      jsonAnswer(200, [rex], { link: `</v1/pets?cursor=${index % length}>; rel="next"` }),
    )
    proxy.next(...pages)

    await assert.rejects(petstore.pets.list().toArray(), /UnexpectedResponseError: .* earlier page/)
    assert.ok(proxy.requests.length < pages.length)
  })
}

for (const link of ['<http://[>; rel="next"', '<http://a:b/>; rel=next', 'next', '</v1/pets?cursor=a; rel="next"']) {
  test(`Link: ${link} is an error, because rows may be missing`, async (t) => {
    const { petstore, proxy } = await startClient(t)
    proxy.next(jsonAnswer(200, [rex], { link }))

    await assert.rejects(Array.fromAsync(petstore.pets.list()), UnexpectedResponseError)
  })
}

for (const [header, expected] of [
  ['</b>; rel="next"', '/b'],
  ['</b>;rel=next', '/b'],
  ['</b> ; REL=NEXT', '/b'],
  ['</b>; rel="prev next"', '/b'],
  ['</a>; rel=prev, </b>; title="x, y"; rel=next', '/b'],
  ['</a>; title="</x>; rel=next", </b>; rel="next"', '/b'],
  ['</b?c=1,2;3>; rel="next"; title*=UTF-8\'\'x', '/b?c=1,2;3'],
  ['</a>; rel=prev; rel=next', undefined],
  ['</a>; title="a; rel=next"', undefined],
  ['</a>; title="a \\"quoted\\"; rel=next"; rel=prev', undefined],
  ['</a>; rel="nextish"', undefined],
  ['</a>; crossorigin; rel=prev', undefined],
  ['', undefined],
] as const) {
  test(`in Link: ${header}, the next page is ${expected}`, () => {
    assert.equal(findLink('next', new Headers({ link: header })), expected)
  })
}
