import type { RedeemCode } from '../../../http/pages/console.ts'
import type { Certificate } from '../../../http/server/certificate.ts'
import type { WriteRelay } from '../../../storage/shared/writes/relay.ts'
import type { StallWatch } from '../deliveries/stall-watch.ts'
import type { MetricsSnapshot } from '../metrics/collector.ts'

/** What the first process offers its workers. */
export type PrimaryFunctions = Pick<WriteRelay, 'commit' | 'check' | 'files' | 'foundDamage'> & {
  /** Of all processes. */
  metricsText(): Promise<string>
  redeemCode: RedeemCode
  deliveryStall: StallWatch['find']
  certificate(): Certificate | undefined
  /** The worker listens there. */
  started(address: string): void
  /** The worker has closed the port. */
  released(): Promise<void>
  /** The worker cannot start. */
  failed(message: string): void
}

/** What a worker offers the first process. */
export type WorkerFunctions = {
  metrics(): Promise<MetricsSnapshot>
  /** The answer itself says that the event loop of the worker runs. */
  heartbeat(): void
  stop(): void
  serve(): Promise<void>
  useCertificate(renewed: Certificate): Promise<void>
}
