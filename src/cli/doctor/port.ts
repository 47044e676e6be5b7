import { once } from 'node:events'
import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isIPv6 } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Config } from '../shared/config.ts'
import { explainListening } from '../serving/listening.ts'
import { type Finding, ok, problem } from './finding.ts'

type Endpoint = Pick<Config, 'host' | 'port' | 'tlsCert'>

const askTimeoutMs = 2_000

/**
 * Whether the service can listen, or listens already. `isInUse` tells whether a process has this database open, if that
 * is known: a pet store beside an unused database is another one.
 */
export async function checkPort({ host, port, tlsCert }: Endpoint, isInUse?: boolean): Promise<Finding[]> {
  if (port === 0) return [ok('port', 'petstore serve picks a free port.')]
  const error = await listenOnce(host, port)
  if (error === undefined) return [ok('port', `Port ${port} on ${host} is free.`)]
  const unusable = problem('port', explainListening(error, { host, port, settings: 'PETSTORE' }).message)
  if (error.code !== 'EADDRINUSE') return [unusable]
  const origin = `${tlsCert === undefined ? 'http' : 'https'}://${reachable(host)}:${port}`
  const { info } = (await ask(`${origin}/openapi.json`)) ?? {}
  if (info?.title !== 'Pet Store') return [unusable]
  if (isInUse === false) {
    const sentence = `A pet store with another database answers at ${origin}`
    return [problem('port', `${sentence}: stop it, or set PETSTORE_PORT to another port.`)]
  }
  const ready = await ask(`${origin}/readyz`)
  if (ready?.status === 'ok') return [ok('port', `A pet store answers at ${origin}.`)]
  return [problem('port', `A pet store answers at ${origin}, but it is not ready: its log says why.`)]
}

/** Whether the address for metrics is free, or a pet store serves metrics there. Nothing without one of its own. */
export async function checkMetricsAddress({ metricsAddress }: Pick<Config, 'metricsAddress'>): Promise<Finding[]> {
  const { host, port } = metricsAddress ?? { host: '', port: 0 }
  const error = port === 0 ? undefined : await listenOnce(host, port)
  if (error === undefined) return []
  const served = error.code === 'EADDRINUSE' ? await textAt(`http://${reachable(host)}:${port}/metrics`) : undefined
  if (served?.includes('petstore_build_info')) return []
  return [problem('port', explainListening(error, { host, port, settings: 'PETSTORE_METRICS_ADDRESS' }).message)]
}

/** Resolves to why the port cannot be used. */
async function listenOnce(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  const server = http.createServer().listen({ host, port })
  try {
    await once(server, 'listening')
    server.close()
    await once(server, 'close')
    return undefined
  } catch (error) {
    return error as NodeJS.ErrnoException
  }
}

/** An address to connect to, for one to listen on. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return isIPv6(host) ? `[${host}]` : host
}

async function ask(url: string): Promise<{ info?: { title?: string }; status?: unknown } | undefined> {
  try {
    return JSON.parse((await textAt(url)) ?? '') as Awaited<ReturnType<typeof ask>>
  } catch {
    return undefined
  }
}

async function textAt(url: string): Promise<string | undefined> {
  try {
    const { request } = url.startsWith('https:') ? https : http
    // The certificate may name another host than the address to listen on.
    const options = { agent: false, rejectUnauthorized: false, signal: AbortSignal.timeout(askTimeoutMs) }
    const [response] = (await once(request(url, options).end(), 'response')) as [IncomingMessage]
    return String(await buffer(response))
  } catch {
    return undefined
  }
}
