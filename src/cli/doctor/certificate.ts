import { X509Certificate } from 'node:crypto'
import { readCertificate } from '../serving/read-certificate.ts'
import type { Config } from '../shared/config.ts'
import { Failure } from '../shared/failure.ts'
import { type Finding, ok, problem, warning } from './finding.ts'

const renewalMs = 14 * 86_400_000

/** Whether the certificate for HTTPS can be used and is valid. Nothing without one. */
export function checkCertificate(config: Config, now: number): Finding[] {
  try {
    const certificate = readCertificate(config)
    if (certificate === undefined) return []
    const { validFromDate, validToDate } = new X509Certificate(certificate.cert)
    const [from, until] = [validFromDate.toISOString(), validToDate.toISOString()]
    if (now < Number(validFromDate) || now >= Number(validToDate)) {
      const sentence = `The certificate ${config.tlsCert} is valid only from ${from} to ${until}`
      return [problem('certificate', `${sentence}: renew it, then send SIGHUP.`)]
    }
    const sentence = `The certificate ${config.tlsCert} is valid until ${until}`
    if (Number(validToDate) - now > renewalMs) return [ok('certificate', `${sentence}.`)]
    return [warning('certificate', `${sentence}: renew it, then send SIGHUP.`)]
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return [problem('certificate', error.message)]
  }
}
