import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { headerHashes } from '../../../src/http/request/header-hashes.ts'
import { keyHash } from '../../../src/inventory/key-secret.ts'

test('the key of a header has the same hash each time', () => {
  const hashOf = headerHashes('production')
  const secret = 'a key of our own, long enough'.replaceAll(' ', '-')

  for (const header of [
    `Bearer ${secret}`,
    `Bearer ${secret}`,
    `bearer   ${secret}`,
    `Bearer ${' '.repeat(200)}${secret}`,
  ]) {
    assert.equal(hashOf(header), keyHash(secret))
  }
  assert.equal(hashOf('Basic YTpi'), undefined)
})

test('headers that nobody sends again do not fill the memory', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const hashOf = headerHashes('production')
  const header = (number: number) => `Bearer ${String(number).padStart(180, 'x')}`
  const usedBytes = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  for (let number = 0; number < 1_000; number++) hashOf(header(number))
  const before = usedBytes()

  for (let number = 1_000; number < 30_000; number++) hashOf(header(number))

  assert.ok(usedBytes() - before < 2_000_000)
  hashOf(header(0))
})
