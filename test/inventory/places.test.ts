import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPlaces } from '../../src/inventory/places.ts'

test('an owner gets a place while it has fewer than are free, so that others always find some', () => {
  const places = openPlaces(8)
  const counts = ['a', 'b', 'c', 'd', 'e'].map((owner) => {
    let count = 0
    while (places.take(owner) !== undefined) count++
    return [owner, count]
  })

  assert.deepEqual(Object.fromEntries(counts), { a: 4, b: 2, c: 1, d: 1, e: 0 })
})

test('a single place is for whoever comes first', () => {
  const places = openPlaces(1)

  assert.ok(places.take('a'))
  assert.equal(places.take('a'), undefined)
  assert.equal(places.take('b'), undefined)
})

test('a place is given back once, however often it is left', () => {
  const places = openPlaces(3)
  const leave = places.take('a')
  places.take('b')

  leave?.()
  leave?.()

  places.take('c')
  assert.ok(places.take('d'))
  assert.equal(places.take('e'), undefined)
})

test('the slowest that is late loses its place, to an owner that has fewer', () => {
  const places = openPlaces(4, 10)
  const cut: string[] = []
  const late = { a1: 5, a2: 40, b: 30, c: 10 }
  const take = (owner: string, name: keyof typeof late) =>
    places.take(owner, { lateMs: () => late[name], cut: () => cut.push(name) })
  const leave = take('a', 'a1') && take('a', 'a2')
  take('b', 'b')
  take('c', 'c')

  assert.equal(places.take('a'), undefined, 'nobody takes a place of its own')
  assert.ok(places.take('d'))
  assert.deepEqual(cut, ['a2'])
  leave?.()
  assert.ok(places.take('e'))
  assert.deepEqual(cut, ['a2', 'b'])
  assert.equal(places.take('f'), undefined, 'the others keep pace')
})
