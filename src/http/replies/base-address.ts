import type { FastifyRequest } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** The configured base address of this deployment, ending in /v1. */
    configuredBase: string | undefined
  }
}

const saneHost = /^[A-Za-z0-9.-]+(:[0-9]{1,5})?$|^\[[0-9A-Fa-f:.]+\](:[0-9]{1,5})?$/

/**
 * The base address to make links with, ending in /v1: the configured one, or else the one that the client used. A Host
 * header that is no host name is not echoed; such a client gets a link that starts at the root.
 */
export function baseAddress(request: FastifyRequest): string {
  const { configuredBase } = request.server
  if (configuredBase !== undefined) return configuredBase
  const { host, protocol } = request
  // A trusted proxy may pass on what a client made up.
  const isSane = saneHost.test(host) && (protocol === 'http' || protocol === 'https')
  return isSane ? `${protocol}://${host}/v1` : '/v1'
}
