import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { int64Max, int64Min } from '../../src/contract/int64.ts'
import { encodeCategory } from '../../src/contract/category.ts'
import { encodeEvent } from '../../src/contract/event.ts'
import { encodeUndoResult } from '../../src/contract/import.ts'
import { encodeOrder } from '../../src/contract/order.ts'
import { parseJson } from '../../src/contract/json.ts'
import { encodePet, encodePets } from '../../src/contract/pet.ts'
import { anyPet } from '../support/contract-json.ts'

test('encodePet and parseJson round-trip every animal', () => {
  fc.assert(
    fc.property(anyPet, (pet) => {
      assert.deepEqual(exactly(parseJson(encodePet(pet))), pet)
    }),
  )
})

test('encodePet writes every name as JSON.stringify does', () => {
  const characters = Array.from({ length: 0x3000 }, (_, code) => String.fromCodePoint(code))
  for (const name of [...characters, '😀', '\u{10ffff}', '\uffff', 'a"b', 'a\\', '\t\n']) {
    assert.equal(encodePet({ id: 1n, name, categoryId: 2n }), `{"id":1,"name":${JSON.stringify(name)},"categoryId":2}`)
  }
})

test('encodePets and parseJson round-trip every page', () => {
  fc.assert(
    fc.property(fc.array(anyPet, { maxLength: 5 }), (pets) => {
      assert.deepEqual((parseJson(encodePets(pets)) as unknown[]).map(exactly), pets)
    }),
  )
})

test('encodePet writes the members in the order of the contract, each once', () => {
  const text = encodePet({ status: 'sold', categoryId: 2n, name: 'Rex', id: 1n })

  assert.equal(text, '{"id":1,"name":"Rex","categoryId":2,"status":"sold"}')
})

test('encodePet omits an absent status', () => {
  assert.equal(encodePet({ id: 1n, name: 'Rex', categoryId: 2n }), '{"id":1,"name":"Rex","categoryId":2}')
})

test('encodePet writes all digits of an int64', () => {
  const text = encodePet({ id: int64Max, name: 'Rex', categoryId: int64Min })

  assert.equal(text, '{"id":9223372036854775807,"name":"Rex","categoryId":-9223372036854775808}')
})

test('encodePet writes what JSON.stringify would', () => {
  fc.assert(
    fc.property(anyPet, (pet) => {
      const small = { ...pet, id: 1n, categoryId: 2n }

      assert.equal(
        encodePet(small),
        JSON.stringify({
          id: 1,
          name: pet.name,
          categoryId: 2,
          ...(pet.status !== undefined && { status: pet.status }),
        }),
      )
    }),
  )
})

test('encodePets of no animals is an empty array', () => {
  assert.equal(encodePets([]), '[]')
})

test('the JSON of what an undo did has the animals that stay, with every digit, and where to go on', () => {
  const keeps = [{ id: int64Max, message: 'It was "changed".' }]

  assert.equal(
    encodeUndoResult({ removed: 2, kept: 1, keeps, next: 'AA' }),
    `{"removed":2,"kept":1,"keeps":[{"id":${int64Max},"message":"It was \\"changed\\"."}],"next":"AA"}`,
  )
  assert.equal(encodeUndoResult({ removed: 0, kept: 0, keeps: [] }), '{"removed":0,"kept":0,"keeps":[]}')
})

test('the JSON of orders and categories has its members in order and all digits of an int64', () => {
  const at = '2027-01-01T12:00:00.000Z'

  assert.equal(
    encodeOrder({ id: 1n, petId: int64Max, status: 'placed', placedAt: at, updatedAt: at }),
    `{"id":1,"petId":9223372036854775807,"status":"placed","placedAt":"${at}","updatedAt":"${at}"}`,
  )
  assert.equal(encodeCategory({ id: int64Min, name: '"🐶"\n' }), '{"id":-9223372036854775808,"name":"\\"🐶\\"\\n"}')
})

for (const [type, subject] of [
  ['pet.created', 'pets/7'],
  ['pet.updated', 'pets/7'],
  ['pet.deleted', 'pets/7'],
  ['order.placed', 'store/orders/7'],
  ['order.completed', 'store/orders/7'],
  ['order.cancelled', 'store/orders/7'],
] as const) {
  test(`the JSON of ${type} is a CloudEvent on one line, with its data unchanged`, () => {
    const data = '{"id":9007199254740993,"name":"a\\nb"}'

    const event = { id: 17n, lineage: 'k3x9Qa7B', type, subject: 7n, at: Date.UTC(2027, 0, 1), data }
    const text = encodeEvent(event, 'https://pets.example/v1')

    assert.equal(
      text,
      `{"specversion":"1.0","id":"17-k3x9Qa7B","source":"https://pets.example/v1","type":"petstore.${type}",` +
        `"subject":"${subject}","time":"2027-01-01T00:00:00.000Z","datacontenttype":"application/json",` +
        `"sequence":"0000000000000000017","data":${data}}`,
    )
    assert.doesNotMatch(text, /[\r\n]/)
  })
}

test('sequences of events are in the order of their numbers, as texts', () => {
  const numbers = [1n, 2n, 9n, 10n, 11n, 99n, 100n, 2n ** 53n, 2n ** 63n - 1n]
  const of = (id: bigint) => encodeEvent({ id, type: 'pet.created', subject: 1n, at: 0, data: '{}' }, '/v1')

  const sequences = numbers.map((id) => (JSON.parse(of(id)) as { sequence: string }).sequence)

  assert.deepEqual(sequences.toSorted(), sequences)
  assert.deepEqual(sequences.map(BigInt), numbers)
})

function exactly(value: unknown): unknown {
  const pet = value as { id: number | bigint; categoryId: number | bigint }
  return { ...pet, id: BigInt(pet.id), categoryId: BigInt(pet.categoryId) }
}
