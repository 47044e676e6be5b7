import type { FastifyRequest } from 'fastify'
import { isHost } from '../request/host.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The configured base address of this deployment, ending in /v1. */
    configuredBase: string | undefined
  }
}

/**
 * The base address to make links with, ending in /v1: the configured one, or else the one that the client used. Where
 * that is unknown, links start at the root.
 */
export function baseAddress(request: FastifyRequest): string {
  const { configuredBase } = request.server
  if (configuredBase !== undefined) return configuredBase
  const { host, protocol } = request
  // A trusted proxy may pass on what a client made up.
  const isSane = isHost(host) && (protocol === 'http' || protocol === 'https')
  return isSane ? `${protocol}://${host}/v1` : '/v1'
}
