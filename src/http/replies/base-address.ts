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
  return isValid ? clientBase(protocol, host) : '/v1'
}

/** The base address that a client used; `host` is valid. */
export function clientBase(protocol: string, host: string): string {
  return `${protocol}://${host}/v1`
}
