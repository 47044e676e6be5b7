import type { Certificate } from '../../../http/server/certificate.ts'
import type { RedeemCode } from '../../../http/pages/console.ts'
import type { OpenStorage } from '../../../storage/open.ts'
import type { StallWatch } from '../deliveries/stall-watch.ts'
import type { Edge } from '../edge.ts'
import type { Metrics } from '../metrics/collector.ts'
import type { Config } from '../../shared/config.ts'

export interface ProcessesOptions {
  config: Config
  /** That of the file to which a symbolic link led at the start. It may lead elsewhere by now. */
  databaseUrl: string
  environment: NodeJS.ProcessEnv
  storage: OpenStorage
  /** Of this process. */
  metrics: Metrics
  redeemCode: RedeemCode
  stallWatch: StallWatch
  /** For HTTPS. */
  certificate: Certificate | undefined
}

/** The HTTP edge of all processes. */
export interface Processes extends Edge {
  metricsText: () => Promise<string>
}
