import { X509Certificate } from 'node:crypto'
import type { Certificate } from '../../../http/server/certificate.ts'
import { gauge, type Metric } from './metric.ts'

/** None without HTTPS. */
export function certificateMetrics(certificate: Certificate | undefined): Metric[] {
  if (certificate === undefined) return []
  return gauge(
    'petstore_tls_certificate_expiry_timestamp_seconds',
    'End of the certificate that new connections get.',
    Number(new X509Certificate(certificate.cert).validToDate) / 1_000,
  )
}
