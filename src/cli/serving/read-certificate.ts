import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import type { Certificate } from '../../http/server/certificate.ts'
import type { Config } from '../shared/config.ts'
import { Failure } from '../shared/failure.ts'
import { openLog } from './log/log.ts'
import { gauge, type Metric } from './metrics/metric.ts'

/** The certificate of the settings; undefined without one. Throws a sentence if the files cannot be used. */
export function readCertificate({ tlsCert, tlsKey }: Config): Certificate | undefined {
  if (tlsCert === undefined || tlsKey === undefined) return undefined
  const cert = readFile('PETSTORE_TLS_CERT', tlsCert)
  const key = readFile('PETSTORE_TLS_KEY', tlsKey)
  const certificate = attempt(
    () => new X509Certificate(cert),
    () => `PETSTORE_TLS_CERT must be a certificate in PEM form, got "${tlsCert}".`,
  )
  const privateKey = attempt(
    () => createPrivateKey(key),
    () => `PETSTORE_TLS_KEY must be a key in PEM form without a passphrase, got "${tlsKey}".`,
  )
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new Failure(`PETSTORE_TLS_KEY "${tlsKey}" is not the key of the certificate "${tlsCert}".`)
  }
  attempt(
    () => process.getBuiltinModule('node:tls').createSecureContext({ cert, key }),
    (message) => `The certificate "${tlsCert}" cannot be used (${message}).`,
  )
  return { cert, key }
}

/** Reads the files again and logs what came of it. Files that cannot be used change nothing. */
export async function reloadCertificate(
  config: Config,
  use: (certificate: Certificate) => Promise<void>,
): Promise<void> {
  const log = await openLog(config.logLevel)
  try {
    const renewed = readCertificate(config)
    if (renewed !== undefined) await use(renewed)
    log.info('the certificate was read again')
  } catch (error) {
    log.error(`The certificate was not read again, and the one before stays: ${(error as Error).message}`)
  }
}

function readFile(variable: string, path: string): string {
  try {
    // Reading a pipe without a writer, or /dev/zero, would never end.
    if (statSync(path).isFile()) return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Failure(`${variable} must be a file that this user may read, got "${path}" (${code}).`)
  }
  throw new Failure(`${variable} must be a file, got "${path}".`)
}

function attempt<Result>(work: () => Result, sentence: (message: string) => string): Result {
  try {
    return work()
  } catch (error) {
    throw new Failure(sentence((error as Error).message))
  }
}

/** When the certificate ends. None without HTTPS. */
export function certificateMetrics(certificate: Certificate | undefined): Metric[] {
  if (certificate === undefined) return []
  return gauge(
    'petstore_tls_certificate_expiry_timestamp_seconds',
    'End of the certificate that new connections get.',
    Number(new X509Certificate(certificate.cert).validToDate) / 1_000,
  )
}
