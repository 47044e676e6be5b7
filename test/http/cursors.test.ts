import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import {
  decodeCursor,
  decodeKeyedCursor,
  decodePairCursor,
  decodeSizeCursor,
  encodeCursor,
  encodePairCursor,
  encodeSizeCursor,
  nextPage,
} from '../../src/http/replies/cursor.ts'

const scope = 'pets?status=sold'
const lowest = -(2n ** 63n)
const highest = 2n ** 63n - 1n

/** A cursor of these bytes, with the right checksum. */
function cursorOf(position: Uint8Array): string {
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(scope, crc32(position)))
  return Buffer.concat([position, checksum]).toString('base64url')
}

const isRefused = { code: 'invalid_parameter', fields: ['cursor'] }

const key = 'zoe 2 ポチ'

test('a cursor has the whole position', () => {
  for (const id of [lowest, -1n, 0n, 1n, highest]) {
    assert.deepEqual(decodeCursor(encodeCursor({ id }, scope), scope), { id })
    assert.deepEqual(decodeSizeCursor(encodeSizeCursor({ total: 1n, id }, scope), scope), { total: 1n, id })
    assert.deepEqual(decodePairCursor(encodePairCursor([id, 7n], scope), scope), [id, 7n])
  }
  for (const position of [
    { id: 1n, key },
    { id: highest, key: '' },
  ]) {
    assert.deepEqual(decodeKeyedCursor(encodeCursor(position, scope), scope), position)
  }
})

test('a list without a cursor begins at its first page', () => {
  for (const decode of [decodeCursor, decodeKeyedCursor, decodeSizeCursor, decodePairCursor]) {
    assert.equal(decode(undefined, scope), undefined)
  }
})

test('a cursor that was changed in any byte, was cut or is of another list is refused', () => {
  for (const [cursor, decode] of [
    [encodeCursor({ id: 1n }, scope), decodeCursor],
    [encodeCursor({ id: 1n, key }, scope), decodeKeyedCursor],
    [encodeSizeCursor({ total: 1n, id: 1n }, scope), decodeSizeCursor],
    [encodePairCursor([1n, 1n], scope), decodePairCursor],
  ] as const) {
    const bytes = Buffer.from(cursor, 'base64url')
    for (const index of bytes.keys()) {
      const changed = Buffer.from(bytes)
      changed[index] = (changed[index] as number) ^ 1
      assert.throws(() => decode(changed.toString('base64url'), scope), isRefused)
      assert.throws(() => decode(bytes.toString('base64url', 0, index), scope), isRefused)
    }
    assert.throws(() => decode(cursor, 'pets?status=pending'), isRefused)
    // Decoders of base64 take both for the same bytes.
    assert.throws(() => decode(`${cursor}=`, scope), isRefused)
    assert.throws(() => decode(` ${cursor}`, scope), isRefused)
  }
})

test('a cursor of the right scope with another length is refused', () => {
  for (const length of [0, 7, 9, 16]) {
    assert.throws(() => decodeCursor(cursorOf(Buffer.alloc(length)), scope), isRefused, `${length}`)
  }
  for (const length of [0, 8, 15, 17, 24]) {
    assert.throws(() => decodePairCursor(cursorOf(Buffer.alloc(length)), scope), isRefused, `${length}`)
  }
  assert.throws(() => decodeKeyedCursor(cursorOf(Buffer.alloc(7)), scope), isRefused)
})

test('the caller says how a cursor of two integers is refused', () => {
  const refusal = new Error('The position is too old.')

  for (const cursor of ['x', cursorOf(Buffer.alloc(8))]) {
    assert.throws(() => decodePairCursor(cursor, scope, () => refusal as never), refusal)
  }
})

test('a size of less than one animal is refused', () => {
  for (const total of [0n, -1n]) {
    assert.throws(() => decodeSizeCursor(encodePairCursor([total, 1n], scope), scope), isRefused)
  }
})

test('a key that no name has is refused', () => {
  for (const none of ['a\0b', 'rex"', 'rex"OR"!"*OR"r', 'rex*', 'zoë 🐈', 'x'.repeat(129)]) {
    const cursor = encodeCursor({ key: none, id: 1n }, scope)
    assert.throws(() => decodeKeyedCursor(cursor, scope), isRefused, none)
  }
})

test('the link to the next page has what differs from the first, and the cursor', () => {
  const cursor = 'abc'

  assert.deepEqual(nextPage('/v1/pets', {}, 20, { cursor }), { link: '/v1/pets?cursor=abc', cursor })
  assert.deepEqual(nextPage('/v1/pets', { status: 'sold', sort: undefined }, 5, { cursor }), {
    link: '/v1/pets?status=sold&limit=5&cursor=abc',
    cursor,
  })
  assert.deepEqual(nextPage('/v1/events', {}, 20, { after: '7' }), { link: '/v1/events?after=7', cursor: undefined })
})
