import { test } from 'node:test'
import { findOpenTelemetry, skipWithoutOpenTelemetry } from '../../support/opentelemetry.ts'
import { assertAsRecorded } from '../compare.ts'
import { isOnEachEngine, variations } from '../variations.ts'

for (const variation of variations.filter((variation) => !isOnEachEngine(variation))) {
  const skip = variation.isTraced === true && findOpenTelemetry() === undefined && skipWithoutOpenTelemetry
  test(`every request of the corpus gets the recorded response: ${variation.name}`, { skip }, (t) =>
    assertAsRecorded(t, variation),
  )
}
