import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { test } from 'node:test'
import { systemNames } from '../../src/webhooks/addresses.ts'
import { addressesOf, never } from '../support/webhook-addresses.ts'

// In a process of its own: look-ups that have not ended are counted for all of it, and a real one may hang.
test('look-ups by the system do not fill its threads while a name server is silent about IPv6', async () => {
  const [four, six] = [addressesOf(['10.0.0.7']), addressesOf(['fd00::7'])]
  const asked: number[] = []
  const asking = (sixth: Promise<LookupAddress[]>) => (family: 4 | 6) => {
    asked.push(family)
    return family === 4 ? Promise.resolve(four) : sixth
  }
  const askedForSix = () => asked.splice(0).filter((family) => family === 6).length

  for (let count = 0; count < 5; count++)
    assert.deepEqual(await systemNames('shop', asking(Promise.resolve(six))), [...four, ...six])
  assert.equal(askedForSix(), 5)
  for (let count = 0; count < 5; count++) assert.deepEqual(await systemNames('shop', asking(never)), four)
  assert.equal(askedForSix(), 2)
  const onlySix = (family: 4 | 6) => (family === 6 ? Promise.resolve(six) : Promise.reject(new Error('ENODATA')))
  assert.deepEqual(await systemNames('six', onlySix), six)
})
