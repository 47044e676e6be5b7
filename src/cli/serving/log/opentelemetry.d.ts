// What tracing uses of OpenTelemetry's SDK, which an install need not have. test/cli/slow/tracing.test.ts compares it
// with the SDK.

declare module '@opentelemetry/core' {
  import type { Context, TextMapGetter } from '@opentelemetry/api'

  export class W3CTraceContextPropagator {
    extract(context: Context, carrier: unknown, getter: TextMapGetter): Context
  }
}

declare module '@opentelemetry/exporter-trace-otlp-http' {
  import type { SpanExporter } from '@opentelemetry/sdk-trace-base'

  /** Reads its settings from the environment. */
  export const OTLPTraceExporter: new () => SpanExporter
}

declare module '@opentelemetry/resources' {
  export interface Resource {
    merge(other: Resource): Resource
  }
  export interface ResourceDetector {
    detect(): object
  }
  export const envDetector: ResourceDetector
  export function defaultResource(): Resource
  export function detectResources(config: { detectors: ResourceDetector[] }): Resource
  export function resourceFromAttributes(attributes: Record<string, string>): Resource
}

declare module '@opentelemetry/sdk-trace-base' {
  import type { TracerProvider } from '@opentelemetry/api'
  import type { Resource } from '@opentelemetry/resources'

  export interface SpanExporter {
    export(spans: object[], done: (result: { code: number; error?: Error }) => void): void
    shutdown(): Promise<void>
  }
  export interface SpanProcessor {
    shutdown(): Promise<void>
  }
  export const BatchSpanProcessor: new (exporter: SpanExporter) => SpanProcessor
  export class BasicTracerProvider implements TracerProvider {
    constructor(config: { resource: Resource; spanProcessors: SpanProcessor[] })
    getTracer: TracerProvider['getTracer']
    shutdown(): Promise<void>
  }
}
