import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { temporaryFolder } from '../../support/engines.ts'
import { findOpenTelemetry, moduleWith, skipWithoutOpenTelemetry } from '../../support/opentelemetry.ts'
import { assertPassed } from '../../support/promised-time.ts'
import { ask, assertRefused } from '../../support/running-service.ts'
import { run, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const root = join(import.meta.dirname, '../../..')
const folder = findOpenTelemetry()
const needsSdk = { skip: folder === undefined && skipWithoutOpenTelemetry }
/** Settings of a service that has OpenTelemetry. */
const sdk: Record<string, string> = folder === undefined ? {} : { NODE_OPTIONS: `--import=${moduleWith(folder)}` }

test('a service without OpenTelemetry says what to install if its variables are set', async (t) => {
  const ran = await run(t, ['serve'], {
    env: { PETSTORE_PORT: '0', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' },
  })

  assertRefused(
    ran,
    /^petstore: OTEL_EXPORTER_OTLP_ENDPOINT is set, .*: run "npm install --save-prod @opentelemetry\/api@/,
  )
})

test(
  'OTEL_EXPORTER_OTLP_ENDPOINT gets the spans of the requests, at the latest when the service stops',
  needsSdk,
  async (t) => {
    const { url, received } = await collector(t)
    const service = await startService(t, { env: { ...sdk, OTEL_EXPORTER_OTLP_ENDPOINT: url } })

    await ask(service)
    await service.stop()

    assert.deepEqual(new Set(received.map(({ request }) => request)), new Set(['POST /v1/traces']))
    assert.ok(received.some(({ body }) => body.includes('/v1/pets')))
    assert.ok(!received.some(({ body }) => body.includes(service.key)))
  },
)

test('OTEL_EXPORTER_OTLP_ENDPOINT may stand in .env', needsSdk, async (t) => {
  const { url, received } = await collector(t)
  const cwd = temporaryFolder(t)
  writeFileSync(join(cwd, '.env'), `OTEL_EXPORTER_OTLP_ENDPOINT=${url}\n`)
  const service = await startService(t, { cwd, env: sdk })

  await ask(service)
  await service.stop()

  assert.deepEqual(new Set(received.map(({ request }) => request)), new Set(['POST /v1/traces']))
})

test('a collector of traces that is not there does not keep the service from stopping in time', needsSdk, async (t) => {
  const service = await startService(t, { env: { ...sdk, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' } })
  await ask(service)

  const start = performance.now()
  const code = await service.stop()

  assert.equal(code, 0)
  assertPassed(2_000, start)
})

for (const [what, timeout] of [
  ['refuses', '10000'],
  ['hangs', '500'],
] as const) {
  test(`a collector of traces that ${what} is told once`, needsSdk, async (t) => {
    const silent = createServer(() => undefined)
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    t.after(() => {
      silent.closeAllConnections()
      silent.close()
    })
    const port = what === 'refuses' ? 1 : (silent.address() as AddressInfo).port
    const service = await startService(t, {
      env: {
        ...sdk,
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
        OTEL_EXPORTER_OTLP_TIMEOUT: timeout,
        OTEL_BSP_SCHEDULE_DELAY: '100',
      },
    })
    const told = () => service.output.stderr.match(/"msg":"the collector of traces does not take spans/g)?.length ?? 0

    await ask(service)
    await until(() => told() > 0)
    await ask(service)
    await service.stop()

    assert.equal(told(), 1)
  })
}

test('what tracing uses of OpenTelemetry has the types that the service says', needsSdk, (t) => {
  const settings = join(temporaryFolder(t), 'tsconfig.json')
  const compilerOptions = {
    // It finds packages in a folder with another name.
    module: 'esnext',
    moduleResolution: 'bundler',
    typeRoots: [join(root, 'node_modules/@types')],
    paths: { '@opentelemetry/*': [join(folder ?? '', 'node_modules/@opentelemetry/*')] },
  }
  // Without opentelemetry.d.ts, which nobody imports.
  const files = [join(root, 'src/cli/serving/log/tracing.ts')]
  writeFileSync(settings, JSON.stringify({ extends: join(root, 'tsconfig.json'), compilerOptions, files, include: [] }))

  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', settings], { encoding: 'utf8' })

  assert.deepEqual({ status, stdout }, { status: 0, stdout: '' })
})

/** A collector of traces that answers as one does and keeps what it gets. */
async function collector(t: TestContext) {
  const received: { request: string; body: string }[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString('latin1')
    received.push({ request: `${request.method} ${request.url}`, body })
    response.setHeader('content-type', 'application/json').end('{}')
  })
  server.listen(0, '127.0.0.1')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received }
}
