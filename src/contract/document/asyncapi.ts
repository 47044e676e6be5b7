import type { Environment } from '../environment.ts'
import { eventSchemas } from '../event.ts'
import { listEvents } from '../operations/events.ts'
import { isServed, type StabilityLevel } from '../operations/operations.ts'
import { createWebhook } from '../operations/webhooks.ts'
import type { MessageSchema } from '../schema.ts'
import { describeWebhooks } from './asyncapi-webhooks.ts'
import { apiVersion } from './openapi.ts'
import { webhookMessages } from './openapi-webhooks.ts'
import { namedSchemas, withReferences } from './openapi-schemas.ts'

type Json = Record<string, unknown>

export interface AsyncApiOptions {
  /** The environment that serves the document. */
  environment?: Environment
  /** The base address of the service. One without a host is not named. */
  baseUrl?: string
  /** The least stable operations that are served. */
  minStability?: StabilityLevel
}

/**
 * The AsyncAPI 3.0 document: what the service sends by itself. It has the same schemas as the OpenAPI document. Without
 * options it is the asyncapi.json in the repository.
 */
export function asyncApiDocument(options: AsyncApiOptions = {}): Json {
  const { environment = 'production', baseUrl = 'http://127.0.0.1:8080/v1', minStability = 'experimental' } = options
  const isStreamed = isServed(listEvents, minStability)
  const messages = isStreamed ? eventSchemas : []
  const servers = serversAt(baseUrl, environment)
  const sent = isServed(createWebhook, minStability) ? webhookMessages : []
  const webhooks = sent.length > 0 ? describeWebhooks(sent) : undefined
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Pet Store events',
      version: apiVersion,
      description:
        'Every change in the shop, in order and without gaps, as CloudEvents 1.0. `/openapi.json` describes the operations ' +
        'that clients call. All of it is experimental: it may change with any minor release.',
      contact: { name: 'The Pet Store project' },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/json',
    servers,
    channels: {
      ...(isStreamed && { events: eventsChannel(Object.keys(servers)) }),
      ...webhooks?.channels,
    },
    operations: { ...(isStreamed && { streamEvents }), ...webhooks?.operations },
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer <API_KEY>`' },
      },
      messages: {
        ...Object.fromEntries(messages.map((schema) => [schema.$id, message(schema)])),
        ...webhooks?.messages,
      },
      schemas: {
        ...Object.fromEntries(
          [...namedSchemas([...messages, ...sent])].map(([name, schema]) => [name, withReferences(schema, true)]),
        ),
        ...webhooks?.schemas,
      },
    },
  }
}

function serversAt(baseUrl: string, environment: Environment): Json {
  const url = URL.parse(baseUrl)
  if (url === null) return {}
  return {
    [environment]: {
      host: url.host,
      pathname: url.pathname,
      protocol: url.protocol.slice(0, -1),
      description: environment === 'production' ? 'Production' : 'Staging',
      security: [{ $ref: '#/components/securitySchemes/apiKey' }],
    },
  }
}

function eventsChannel(servers: readonly string[]): Json {
  return {
    address: '/events',
    title: 'The event stream',
    description:
      'Server-sent events (`text/event-stream`). The `data` of a frame is an event as JSON, its `id` the position to go on ' +
      'from. The first frame has a position alone; a comment every few seconds keeps the connection open. ' +
      'After a broken connection, send the last position as `Last-Event-ID`: no event is missed or repeated. A position ' +
      'whose events are no longer kept is refused with 410.',
    servers: servers.map((name) => ({ $ref: `#/servers/${name}` })),
    messages: Object.fromEntries(eventSchemas.map(({ $id }) => [$id, { $ref: `#/components/messages/${$id}` }])),
  }
}

const streamEvents = {
  action: 'send',
  channel: { $ref: '#/channels/events' },
  title: 'Send events to those who follow them',
  summary: 'The service sends each change to every client that holds `GET /events` open.',
  bindings: {
    http: {
      method: 'GET',
      query: {
        type: 'object',
        properties: { after: withReferences(listEvents.parameters.query.properties.after) },
      },
      bindingVersion: '0.3.0',
    },
  },
}

function message({ $id, description, properties, examples }: MessageSchema): Json {
  return {
    name: properties.type.const,
    title: $id,
    summary: description,
    payload: { $ref: `#/components/schemas/${$id}` },
    examples: examples.map((payload) => ({ name: $id, payload })),
  }
}
