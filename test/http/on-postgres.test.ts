import { standOn } from '../support/app.ts'
import { postgres } from '../support/engines.ts'

// The same answers from the other engine: all tests of the edge that meet the storage, once more.
standOn(postgres)
await import('./authentication.test.ts')
await import('./caching.test.ts')
await import('./categories.test.ts')
await import('./create-pet.test.ts')
await import('./delete-pet.test.ts')
await import('./events.test.ts')
await import('./gates.test.ts')
await import('./get-order.test.ts')
await import('./get-pet.test.ts')
await import('./health.test.ts')
await import('./idempotency.test.ts')
await import('./list-pets.test.ts')
await import('./orders.test.ts')
await import('./paging.test.ts')
await import('./preconditions.test.ts')
await import('./properties.test.ts')
await import('./update-pet.test.ts')
