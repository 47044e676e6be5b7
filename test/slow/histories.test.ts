import { historyTests } from '../histories/configurations.ts'

// A short run of `npm run test:histories`.
historyTests({ seconds: 25 })
