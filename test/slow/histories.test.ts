import { historyTests } from '../histories/configurations.ts'

// A short run of `npm run test:histories`, the same faults each time.
historyTests({ seconds: 15, seed: 51 })
