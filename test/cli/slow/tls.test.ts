import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { copyFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { readCertificate } from '../../../src/cli/serving/read-certificate.ts'
import { readConfig } from '../../../src/cli/shared/config.ts'
import { type CertificateName, certificate, certificateFiles } from '../../support/certificates.ts'
import { temporaryFolder } from '../../support/engines.ts'
import { type Service, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const { cert: ca } = certificate('first')

/** Files that a test may replace, and the settings that name them. */
function settingsIn(folder: string) {
  const [cert, key] = [join(folder, 'shop.crt'), join(folder, 'shop.key')]
  function use(name: CertificateName): void {
    const files = certificateFiles(name)
    copyFileSync(files.cert, cert)
    copyFileSync(files.key, key)
  }
  use('first')
  return { cert, key, use, env: { PETSTORE_TLS_CERT: cert, PETSTORE_TLS_KEY: key } }
}

/** The name in the certificate that a new connection gets. */
async function nameOf({ origin }: Service): Promise<string> {
  const sent = request(`${origin}/livez`, { agent: false, rejectUnauthorized: false }).end()
  const [response] = await once(sent, 'response')
  const { subject } = (response.socket as TLSSocket).getPeerCertificate()
  await response.resume().toArray()
  return String(subject.CN)
}

/** The end of the certificate, as the metrics have it. */
async function endOf({ origin, key }: Service): Promise<number> {
  const headers = { authorization: `Bearer ${key}` }
  const sent = request(`${origin}/metrics`, { agent: false, rejectUnauthorized: false, headers }).end()
  const [response] = await once(sent, 'response')
  const text = (await response.toArray()).join('')
  return Number(/^petstore_tls_certificate_expiry_timestamp_seconds (\S+)$/m.exec(text)?.[1])
}

function validTo(name: CertificateName): number {
  return Date.parse(new X509Certificate(certificate(name).cert).validTo) / 1_000
}

for (const workers of ['1', '2']) {
  test(`SIGHUP reads the certificate again, and a wrong one is not used: ${workers} processes`, async (t) => {
    const { env, key, use } = settingsIn(temporaryFolder(t))
    const service = await startService(t, { env, args: ['--workers', workers] })
    const { stderr } = service.child
    const reported = async (pattern: RegExp) => {
      service.child.kill('SIGHUP')
      while (!pattern.test(service.output.stderr)) await once(stderr as NodeJS.ReadableStream, 'data')
    }
    const verified = request(`${service.origin}/livez`, { agent: false, ca }).end()
    const [{ statusCode }] = await once(verified, 'response')
    const before = await nameOf(service)
    const endsBefore = await endOf(service)

    writeFileSync(key, 'not a key')
    await reported(/The certificate was not read again, .*PETSTORE_TLS_KEY must be a key/)
    const afterWrong = await nameOf(service)
    use('rsa')
    await reported(/the certificate was read again/)
    await until(async () => (await nameOf(service)).endsWith('rsa'))
    const ends = await endOf(service)
    const afterRight = await Promise.all(Array.from({ length: 8 }, () => nameOf(service)))
    const code = await service.stop()

    assert.equal(statusCode, 200)
    assert.match(service.origin, /^https:/)
    assert.deepEqual([before, afterWrong], ['petstore test first', 'petstore test first'])
    assert.deepEqual(new Set(afterRight), new Set(['petstore test rsa']))
    assert.deepEqual([endsBefore, ends], [validTo('first'), validTo('rsa')])
    assert.equal(code, 0)
  })
}

for (const [what, spoil, sentence] of [
  ['a certificate that is not there', (files) => ({ PETSTORE_TLS_CERT: `${files.cert}.old` }), /CERT .* \(ENOENT\)/],
  ['a key that is a folder', () => ({ PETSTORE_TLS_KEY: '/' }), /KEY must be a file, got "\/"/],
  ['a key that never ends', () => ({ PETSTORE_TLS_KEY: '/dev/zero' }), /KEY must be a file, got "\/dev\/zero"/],
  ['text as a certificate', (files) => spoilFile(files.cert), /CERT must be a certificate in PEM form, got .*/],
  ['text as a key', (files) => spoilFile(files.key), /KEY must be a key in PEM form without a passphrase, got .*/],
  [
    'the key of another certificate',
    () => ({ PETSTORE_TLS_KEY: certificateFiles('second').key }),
    /KEY ".*" is not the key of the certificate ".*"/,
  ],
] as [string, (files: ReturnType<typeof settingsIn>) => Record<string, string>, RegExp][]) {
  test(`${what} is refused with a sentence`, (t) => {
    const files = settingsIn(temporaryFolder(t))
    const config = readConfig({ ...files.env, ...spoil(files) })

    assert.throws(() => readCertificate(config), {
      name: 'Failure',
      message: new RegExp(`^PETSTORE_TLS_${sentence.source}\\.$`),
    })
  })
}

function spoilFile(path: string): Record<string, string> {
  writeFileSync(path, 'not PEM')
  return {}
}
