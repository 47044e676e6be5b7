import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { checkCertificate } from '../../src/cli/doctor/certificate.ts'
import { checkExposure } from '../../src/cli/doctor/exposure.ts'
import { checkMetricsAddress, checkPort } from '../../src/cli/doctor/port.ts'
import { readConfig } from '../../src/cli/shared/config.ts'
import { startApp } from '../support/app.ts'
import { certificateFiles } from '../support/certificates.ts'
import { sqlite, temporaryFolder } from '../support/engines.ts'
import { startService } from '../support/service.ts'
import { assertFinding, host, hour, now } from '../support/doctor-checks.ts'

test('a port for metrics that another program has is a problem, and one on which a pet store serves them is not', async (t) => {
  const server = createServer((_request, response) => response.end('petstore_build_info{version="1.0.0"} 1\n'))
  t.after(() => server.close())
  const port = await listenOnFreePort(t)
  await once(server.listen(0, host), 'listening')
  const { port: served } = server.address() as AddressInfo

  assertFinding(
    await checkMetricsAddress({ metricsAddress: { host, port } }),
    'problem',
    /set PETSTORE_METRICS_ADDRESS/,
  )
  assert.deepEqual(await checkMetricsAddress({ metricsAddress: { host, port: served } }), [])
  assert.deepEqual(await checkMetricsAddress({ metricsAddress: undefined }), [])
  assertFinding(
    await checkMetricsAddress({ metricsAddress: { host: '192.0.2.1', port } }),
    'problem',
    /PETSTORE_METRICS_ADDRESS must be an address of this machine/,
  )
})

for (const [settings, warns] of [
  [{ PETSTORE_HOST: '0.0.0.0' }, true],
  [{ PETSTORE_HOST: '::' }, true],
  [{ PETSTORE_HOST: '192.168.1.7' }, true],
  [{}, false],
  [{ PETSTORE_HOST: 'localhost' }, false],
  [{ PETSTORE_HOST: '::1' }, false],
  [{ PETSTORE_HOST: '0.0.0.0', PETSTORE_TRUST_PROXY: '10.0.0.1' }, false],
  [{ PETSTORE_HOST: '0.0.0.0', PETSTORE_TLS_CERT: 'shop.crt', PETSTORE_TLS_KEY: 'shop.key' }, false],
] as [Record<string, string>, boolean][]) {
  test(`doctor: ${JSON.stringify(settings)} is ${warns ? 'a warning' : 'well'} without TLS on the network`, () => {
    const found = checkExposure(readConfig(settings))

    if (warns) assertFinding(found, 'warning', /clear text: set PETSTORE_TLS_CERT/)
    else assert.deepEqual(found, [])
  })
}

test('doctor: a port is well if it is free or has a pet store that is ready', async (t) => {
  const { origin, app } = await startApp(t)
  const port = Number(new URL(origin).port)

  assertFinding(await checkPort({ host, port, tlsCert: undefined }), 'ok', /A pet store answers/)
  await app.close()
  assertFinding(await checkPort({ host, port, tlsCert: undefined }), 'ok', /is free/)
})

test('doctor: a port of another program, or of a pet store that is not ready, is a problem', async (t) => {
  const storage = { ...(await sqlite.open(t)), check: () => Promise.reject(new Error('disk')) }
  const { origin } = await startApp(t, { storage })

  assertFinding(
    await checkPort({ host, port: await listenOnFreePort(t), tlsCert: undefined }),
    'problem',
    /taken by another program/,
  )
  assertFinding(
    await checkPort({ host, port: Number(new URL(origin).port), tlsCert: undefined }),
    'problem',
    /not ready/,
  )
})

test('doctor: a port of a pet store with another database is a problem', async (t) => {
  const { origin } = await startApp(t)
  const port = Number(new URL(origin).port)

  assertFinding(await checkPort({ host, port, tlsCert: undefined }, true), 'ok', /A pet store answers/)
  assertFinding(
    await checkPort({ host, port, tlsCert: undefined }, false),
    'problem',
    /with another database .*: stop it, or set PETSTORE_PORT/,
  )
})

test('doctor: a certificate is well until two weeks before its end, and a problem after it', (t) => {
  const { cert, key } = certificateFiles('first')
  const config = readConfig({ PETSTORE_TLS_CERT: cert, PETSTORE_TLS_KEY: key })
  const end = Number(new X509Certificate(readFileSync(cert)).validToDate)

  assert.deepEqual(checkCertificate(readConfig({}), now), [])
  assertFinding(checkCertificate(config, now), 'ok', /valid until 21/)
  assertFinding(checkCertificate(config, end - 24 * hour), 'warning', /renew/)
  assertFinding(checkCertificate(config, end), 'problem', /renew/)
  assertFinding(checkCertificate({ ...config, tlsKey: join(temporaryFolder(t), 'none') }, now), 'problem', /ENOENT/)
})

test('doctor: a pet store that speaks HTTPS is found, whoever signed its certificate', async (t) => {
  const { cert: tlsCert, key } = certificateFiles('first')
  const { origin } = await startService(t, { env: { PETSTORE_TLS_CERT: tlsCert, PETSTORE_TLS_KEY: key } })

  assertFinding(await checkPort({ host, port: Number(new URL(origin).port), tlsCert }), 'ok', /answers at https:/)
})

async function listenOnFreePort(t: TestContext): Promise<number> {
  const server = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  return (server.address() as AddressInfo).port
}
