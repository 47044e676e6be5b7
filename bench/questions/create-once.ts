import { creating, newAnimals } from './create.ts'
import { throughput } from './throughput.ts'

/** Creates with an `Idempotency-Key`, another one each. The others do not look at it. */
export const createOnce = throughput({
  ...creating,
  name: 'create-key',
  title: 'create with an idempotency key',
  meaning:
    'The same with an `Idempotency-Key`, another one each. Ours stores the key and the response in the same commit; ' +
    'the others ignore it.',
  requests: (dialect) => newAnimals(dialect)?.map((request) => ({ ...request, hasIdempotencyKey: true })),
  goals: () => [],
})
