import { setTimeout as sleep } from 'node:timers/promises'
import type { Gate } from '../../../http/exchange.ts'
import { loggablePath } from '../../../http/replies/observe.ts'
import { Failure } from '../../shared/failure.ts'

export interface Tracing {
  /** Starts the span of a request, which ends with its response. */
  trace: Gate
  /** Sends the remaining spans. */
  close(): Promise<void>
}

/** Called when the collector does not take spans, with the reason, and without one when it does again. */
export type CollectorReport = (problem: string | undefined) => void

const endpoints = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
/** How long an unresponsive collector may delay the stop. */
const flushTimeoutMs = 1_000

/** In the versions that were tested together: the latest of each do not belong to one release. */
const packages = [
  '@opentelemetry/api@1.9.1',
  '@opentelemetry/core@2.12.0',
  '@opentelemetry/exporter-trace-otlp-http@0.223.1',
  '@opentelemetry/resources@2.12.1',
  '@opentelemetry/sdk-trace-base@2.12.0',
].join(' ')

/**
 * A span per request, sent by OTLP over HTTP, if OpenTelemetry's variables name a collector; otherwise undefined. The
 * SDK is larger than the rest of the service, so it is not a dependency: install it if you need it.
 */
export async function openTracing(
  environment: NodeJS.ProcessEnv,
  report: CollectorReport,
): Promise<Tracing | undefined> {
  const wanted = endpoints.find((name) => environment[name])
  if (wanted === undefined || environment['OTEL_SDK_DISABLED'] === 'true') return undefined
  try {
    return await start(environment, report)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Failure(`${wanted} is set, but tracing is not installed: run "npm install --save-prod ${packages}".`)
  }
}

async function start(environment: NodeJS.ProcessEnv, report: CollectorReport): Promise<Tracing> {
  const [api, { W3CTraceContextPropagator }, exporter, resources, sdk] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace-base'),
  ])
  const named = resources.resourceFromAttributes({ 'service.name': environment['OTEL_SERVICE_NAME'] ?? 'petstore' })
  const detected = resources.detectResources({ detectors: [resources.envDetector] })
  const sender = new exporter.OTLPTraceExporter()
  const reportChange = onChange(report)
  const watched: typeof sender.export = (spans, done) =>
    sender.export(spans, (result) => {
      reportChange(result.error?.message)
      done(result)
    })
  const provider = new sdk.BasicTracerProvider({
    resource: resources.defaultResource().merge(detected).merge(named),
    spanProcessors: [new sdk.BatchSpanProcessor({ export: watched, shutdown: () => sender.shutdown() })],
  })
  const tracer = provider.getTracer('petstore')
  const propagator = new W3CTraceContextPropagator()
  return {
    trace({ request, findings: { route }, response: { outgoing } }) {
      const { method, target, headers, incoming, peers } = request
      const parent = propagator.extract(api.ROOT_CONTEXT, incoming?.headers, api.defaultTextMapGetter)
      const name = route === undefined ? method : `${method} ${route.path}`
      const attributes = {
        'http.request.method': method,
        'url.path': loggablePath(target.path, headers.authorization),
        'url.scheme': peers.encrypted === true ? 'https' : 'http',
        ...(route !== undefined && { 'http.route': route.path }),
      }
      const span = tracer.startSpan(name, { kind: api.SpanKind.SERVER, attributes }, parent)
      outgoing.once('close', () => {
        span.setAttribute('http.response.status_code', outgoing.statusCode)
        if (outgoing.statusCode >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR })
        span.end()
      })
    },
    close: () => withTimeout(flushTimeoutMs, provider.shutdown()),
  }
}

/** Reports the first problem, and its end: a collector that is down fails every few seconds. */
export function onChange(report: CollectorReport): CollectorReport {
  let hasProblem = false
  return (problem) => {
    if ((problem !== undefined) === hasProblem) return
    hasProblem = !hasProblem
    report(problem)
  }
}

/** Undelivered spans are lost: stopping in time matters more. */
async function withTimeout(milliseconds: number, work: Promise<void>): Promise<void> {
  await Promise.race([work.catch(() => undefined), sleep(milliseconds, undefined, { ref: false })])
}
