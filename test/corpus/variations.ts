import type { TestContext } from 'node:test'
import { openTracing } from '../../src/cli/serving/log/tracing.ts'
import type { AppOptions } from '../../src/http/app.ts'
import { lifecycle } from '../../src/http/server/lifecycle.ts'
import { certificate } from '../support/certificates.ts'
import { type Engine, postgres } from '../support/engines.ts'
import { findOpenTelemetry, moduleWith } from '../support/opentelemetry.ts'
import type { RawRequest, Target } from './exchange.ts'

/** How the service runs and how its clients ask, in one recording. */
export interface Variation {
  name: string
  engine?: Engine
  options?(t: TestContext): Partial<AppOptions> | Promise<Partial<AppOptions>>
  /** Starts the command instead, with these arguments, in the time of the machine. */
  serve?: readonly string[]
  target?: Omit<Target, 'port'>
  /** When it is played. Default: `now`. */
  startsAt?: number
  /** It needs the packages of test/opentelemetry. */
  isTraced?: boolean
  /** How far the clock goes on with every request. Default: 0. Above a minute, each is the first of its rate window. */
  tickMs?: number
  /** Changes every request. */
  change?(bytes: string): string
  /** Default: `isUsual`. */
  isSent?(request: RawRequest): boolean
}

const shopOrigin = 'https://shop.example'
const forwarded = [
  'X-Forwarded-Host: api.example:8443',
  'X-Forwarded-Proto: https',
  'X-Forwarded-For: 203.0.113.7, 198.51.100.9',
]

export const variations: readonly Variation[] = [
  { name: 'plain', isSent: () => true },
  { name: 'pipelined', target: { isPipelined: true } },
  { name: 'http-1.0', change: (bytes) => bytes.replace(' HTTP/1.1\r\n', ' HTTP/1.0\r\n') },
  {
    name: 'http-1.0-keep-alive',
    change: withHeaders((bytes) => bytes.replace(' HTTP/1.1\r\n', ' HTTP/1.0\r\n'), 'Connection: keep-alive'),
    isSent: isOfTwo,
  },
  {
    name: 'cors',
    options: () => ({ corsOrigins: [shopOrigin] }),
    change: withHeaders(undefined, `Origin: ${shopOrigin}`),
  },
  {
    name: 'cors-other-origin',
    options: () => ({ corsOrigins: [shopOrigin, 'https://second.example'] }),
    change: withHeaders(undefined, 'Origin: https://evil.example'),
    isSent: isOfSome,
  },
  { name: 'cors-no-origin', options: () => ({ corsOrigins: [shopOrigin] }), isSent: isOfSome },
  {
    name: 'cors-any-origin',
    options: () => ({ corsOrigins: ['*'] }),
    change: withHeaders(undefined, 'Origin: https://any.example'),
    isSent: isOfTwo,
  },
  { name: 'origin-without-cors', change: withHeaders(undefined, `Origin: ${shopOrigin}`), isSent: isOfSome },
  { name: 'rate-limit', tickMs: 61_000, options: () => ({ rateLimit: 10 }), isSent: isOfSome },
  { name: 'rate-limit-exceeded', options: () => ({ rateLimit: 1 }) },
  {
    name: 'rate-limit-cors-tracing',
    isTraced: true,
    tickMs: 61_000,
    async options(t) {
      return { rateLimit: 10, corsOrigins: [shopOrigin], ...(await tracing(t)) }
    },
    change: withHeaders(undefined, `Origin: ${shopOrigin}`),
  },
  {
    name: 'tracing',
    isTraced: true,
    options: tracing,
    change: withHeaders(undefined, 'Traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'),
    isSent: isOfSome,
  },
  { name: 'trusted-proxy', options: () => ({ trustProxy: true }), change: withHeaders(undefined, ...forwarded) },
  {
    name: 'trusted-proxy-configured-base',
    options: () => ({ trustProxy: true, baseUrls: { production: 'https://petstore.example/shop/v1' } }),
    change: withHeaders(undefined, ...forwarded),
    isSent: isOfTwo,
  },
  {
    name: 'untrusted-proxy',
    options: () => ({ trustProxy: ['198.51.100.0/24'] }),
    change: withHeaders(undefined, ...forwarded),
    isSent: isOfSome,
  },
  {
    name: 'tls',
    options: () => ({ certificate: certificate('first') }),
    target: { ca: certificate('first').cert },
    isSent: isOfTwo,
  },
  { name: 'postgres', engine: postgres },
  { name: 'workers', serve: ['--workers', '2'], isSent: isOfTwo },
  { name: 'stable', options: () => ({ minStability: 'stable' }) },
  { name: 'sunset', startsAt: Date.parse('2030-12-05T00:00:00Z'), isSent: isOfGetPet },
  { name: 'leaving', options: leaving },
]

function withHeaders(change: ((bytes: string) => string) | undefined, ...headers: string[]) {
  return (bytes: string) =>
    (change?.(bytes) ?? bytes).replace(/^(\r\n)?.*\r\n/, (line) => `${line}${headers.join('\r\n')}\r\n`)
}

/**
 * Leaves out what no variation changes: the rules of single parameters, and gates that operations share. And an import
 * without a body: whether its connection stays open depends on when its end is read.
 */
export function isUsual({ name, isChange }: RawRequest): boolean {
  if (isChange === true) return true
  if (/^(GET|HEAD|POST|OPTIONS|path) |(twice|empty|\/)$/.test(name)) return isOfTwo({ name })
  return !/: (broken|two|no media|wrong media|strict|address|content|unknown|no body|array|once|HTML|any|with a body|client leaves|body ends)/.test(
    name,
  )
}

/** The operations on animals that are used most, events, and preflights. */
function isOfSome({ name }: RawRequest): boolean {
  return /^(listPets|createPet|getPet|listEvents): |^event stream|^\/v1\/pets(\/1)?: /.test(name)
}

/** A read and a create, whose responses show no times. Connections with TLS are expensive. */
function isOfTwo({ name }: Pick<RawRequest, 'name'>): boolean {
  return /^(listPets|createPet|event stream): ?/.test(name)
}

function isOfGetPet({ name }: RawRequest): boolean {
  return /^getPet: |\/pets\/1/.test(name)
}

async function tracing(t: TestContext): Promise<Partial<AppOptions>> {
  const name = 'OTEL_EXPORTER_OTLP_ENDPOINT'
  await import(moduleWith(findOpenTelemetry() as string))
  // Nobody listens there: spans are lost. The exporter reads it from the process.
  const collector = { [name]: 'http://127.0.0.1:9' }
  Object.assign(process.env, collector)
  const opened = await openTracing(collector, () => undefined)
  delete process.env[name]
  t.after(() => opened?.close())
  return { tracing: opened?.trace }
}

function leaving(): Partial<AppOptions> {
  const state = lifecycle()
  state.leave()
  return { lifecycle: state }
}

/** Whether it is the usual way to ask, on SQLite or on PostgreSQL. The others are proofs of `npm run test:slow`. */
export function isOnEachEngine({ name }: Variation): boolean {
  return ['plain', 'postgres'].includes(name)
}
