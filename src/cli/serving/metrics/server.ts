import type { ServerResponse } from 'node:http'
import { errorReply } from '../../../http/replies/errors.ts'
import { http } from '../../../http/node-http.ts'
import { PetStoreError } from '../../../inventory/errors.ts'
import type { ListenAddress } from '../../shared/setting.ts'
import { listening } from '../listening.ts'

/** Metrics on an address of their own, without a key. */
export async function serveMetrics(
  text: () => Promise<string>,
  { host, port }: ListenAddress,
): Promise<{ url: string; close(): void }> {
  const server = http.createServer(async (request, response) => {
    response.setHeader('x-content-type-options', 'nosniff')
    if (request.method !== 'GET' || request.url !== '/metrics') {
      return refuse(response, new PetStoreError('not_found', 'This port serves only GET /metrics.'))
    }
    const body = await text().catch(() => undefined)
    if (body === undefined) return refuse(response, new PetStoreError('internal', 'The metrics cannot be read.'))
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(body)
  })
  const address = await listening(server, { host, port, settings: 'PETSTORE_METRICS_ADDRESS' })
  return { url: `${address}/metrics`, close: () => void server.close() }
}

function refuse(response: ServerResponse, error: PetStoreError): void {
  const { status, headers, body } = errorReply(error)
  response.writeHead(status, headers).end(body)
}
