import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differenceOf } from '../../verify/src/shop/difference.ts'
import { BareShop, bareKey, directTransport } from './bare-shop.ts'
import { judge } from './judge.ts'

test('texts that look alike, or are long, are said to differ at a character', () => {
  const x = 'x'.repeat(60)
  assert.equal(differenceOf('a \u212b', 'a \u00c5'), 'the name differs at character 3: U+00C5, not U+212B')
  assert.equal(differenceOf('🐕 a', '🐕'), 'the name differs at character 2: its end, not U+0020')
  assert.equal(differenceOf(`${x}a`, `${x}b`), 'the name differs at character 61: U+0062, not U+0061')
  assert.equal(differenceOf('Rex', 'Tom'), undefined)
  assert.equal(differenceOf(x, x), undefined)
})

/** Composes the names in its lists. */
class ComposingShop extends BareShop {
  override list(query: URLSearchParams) {
    const response = super.list(query)
    return { ...response, body: response.body.normalize('NFC') }
  }
}

test('a shop that composes names is told where they differ', async () => {
  const shop = new ComposingShop()
  const transport = directTransport((request) => shop.handle(request))

  const { results } = await judge(new URL('http://shop.test/v1'), bareKey, { transport })

  const came = results.find(({ id }) => id === 'C-2-12')?.came ?? ''
  assert.match(came, /^the name differs at character \d+: U\+[0-9A-F]{4}, not U\+[0-9A-F]{4}; /)
})
