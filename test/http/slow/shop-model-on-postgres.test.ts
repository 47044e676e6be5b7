import { useEngine } from '../../support/app.ts'
import { postgres } from '../../support/engines.ts'
// The same sequences of writes and reads, and the same model.
import './shop-model.test.ts'

useEngine(postgres)
