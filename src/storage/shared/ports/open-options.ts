import type { Environment } from '../../../contract/environment.ts'
import type { Clock } from '../../../inventory/clock.ts'
import type { HealthReport } from '../errors.ts'
import type { SearchBudget } from '../reads/find-by-name.ts'
import type { WriteRelay } from '../writes/relay.ts'

/** How an engine is opened. */
export interface EngineOptions {
  clock: Clock
  /** The process that writes for this one, for engines with one writer. */
  relay?: WriteRelay | undefined
  /** Replicas for lists and single animals, if the engine has them. They may lag. */
  readUrl?: string | undefined
  /** The environment that opens it. A database belongs to the first one; the other is refused. */
  environment?: Environment | undefined
  /** How far a replica may lag before the primary is read instead. */
  maxLagMs?: number | undefined
  /** Whether a missing database is made and an older one migrated. Otherwise both are refused. Default: true. */
  create?: boolean | undefined
  /** Whether it is only read. It is then neither made nor migrated, and need not be writable. Default: false. */
  readOnly?: boolean | undefined
  report?: HealthReport | undefined
  /** Called with the names of the migrations that were applied, if any. */
  migrated?: ((names: readonly string[]) => void) | undefined
  /** How long a write, or an attempt to open, waits for a lock of another program, and a write for its result. For tests. */
  lockTimeoutMs?: number | undefined
  writeTimeoutMs?: number | undefined
  /** How long a read waits for its result from PostgreSQL. For tests. */
  readTimeoutMs?: number | undefined
  /** What a page of a search may cost. For tests. */
  searchBudget?: SearchBudget | undefined
}
