import assert from 'node:assert/strict'
import { test } from 'node:test'
import { customerOf, isSameCustomer, searchedCustomer } from '../../../console/state/customer-orders.ts'

test('a customer is the same without regard to case, spaces and the form of letters, and no longer name is', () => {
  for (const same of ['Anna Müller', 'anna  müller ', 'Anna\u00a0Mu\u0308ller']) {
    assert.equal(isSameCustomer(same, 'Anna Müller'), true, same)
  }
  for (const other of ['Anna Müllers', 'Müller Anna', 'Anna Muller', undefined]) {
    assert.equal(isSameCustomer(other, 'Anna Müller'), false)
  }
})

test('of a long name the service looks for the beginning, and no character is cut', () => {
  const name = `${'ab '.repeat(33)}𝒳𝒴`

  assert.equal(searchedCustomer(name), `${'ab '.repeat(33)}𝒳`)
  assert.equal(customerOf({ customer: name }), name)
})

test('a customer without a word in the beginning is nobody whose orders can be asked for', () => {
  assert.equal(customerOf({ customer: '🐶'.repeat(100) + 'x' }), '')
  assert.equal(customerOf({}), '')
})
