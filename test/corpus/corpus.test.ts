import { test } from 'node:test'
import { assertAsRecorded } from './compare.ts'
import { isOnEachEngine, variations } from './variations.ts'

for (const variation of variations.filter(isOnEachEngine)) {
  test(`every request of the corpus gets the recorded response: ${variation.name}`, (t) =>
    assertAsRecorded(t, variation))
}
