import { X509Certificate } from 'node:crypto'
import { readCertificate } from '../serving/read-certificate.ts'
import type { Config } from '../shared/config.ts'
import { Failure } from '../shared/failure.ts'
import { type Finding, findings } from './finding.ts'

const renewalMs = 14 * 86_400_000

/** Whether the certificate for HTTPS can be used and is valid. Nothing without one. */
export function checkCertificate(config: Config, now: number): Finding[] {
  try {
    const certificate = readCertificate(config)
    if (certificate === undefined) return []
    const { validFromDate, validToDate } = new X509Certificate(certificate.cert)
    const ends = `The certificate ${config.tlsCert} is valid until ${validToDate.toISOString()}`
    if (now < Number(validFromDate) || now >= Number(validToDate)) {
      const begins = `from ${validFromDate.toISOString()} to ${validToDate.toISOString()}`
      return findings('certificate', '', [
        ['problem', `The certificate ${config.tlsCert} is valid only ${begins}: renew it, then send SIGHUP.`],
      ])
    }
    if (Number(validToDate) - now > renewalMs) return findings('certificate', `${ends}.`, [])
    return findings('certificate', '', [['warning', `${ends}: renew it, then send SIGHUP.`]])
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return findings('certificate', '', [['problem', error.message]])
  }
}
