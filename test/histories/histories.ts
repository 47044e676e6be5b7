import { historyTests } from './configurations.ts'

// `npm run test:histories`. An anomaly prints its seed.
const seed = process.env['PETSTORE_HISTORY_SEED']
historyTests({
  seconds: Number(process.env['PETSTORE_HISTORY_SECONDS'] ?? 300),
  ...(seed === undefined ? {} : { seed: Number(seed) }),
})
