import type { FastifyRequest } from 'fastify'
import { isHost } from '../request/host.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The configured base address of this deployment, ending in /v1. */
    configuredBase: string | undefined
  }
}

/**
 * The base address for links, ending in /v1: the configured one, otherwise the one the client used. If it is unknown,
 * links are relative to the root.
 */
export function baseAddress(request: FastifyRequest): string {
  const { configuredBase } = request.server
  if (configuredBase !== undefined) return configuredBase
  const { host, protocol } = request
  // A trusted proxy may forward an invalid value.
  const isValid = isHost(host) && (protocol === 'http' || protocol === 'https')
  return isValid ? `${protocol}://${host}/v1` : '/v1'
}
