import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { Failure } from '../shared/failure.ts'

export interface Endpoint {
  host: string
  port: number
  /** The names of its settings. */
  settings: keyof typeof settingNames
}

const settingNames = {
  PETSTORE: { host: 'PETSTORE_HOST', port: 'PETSTORE_PORT' },
  PETSTORE_METRICS_ADDRESS: { host: 'PETSTORE_METRICS_ADDRESS', port: 'PETSTORE_METRICS_ADDRESS' },
  options: { host: '--host', port: '--port' },
}

/** Starts listening and returns the address, such as http://127.0.0.1:8080. */
export async function listening(server: Server, endpoint: Endpoint): Promise<string> {
  const { host, port } = endpoint
  server.listen({ host, port })
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw explainListening(error, endpoint)
  })
  return addressOf(server, host)
}

export function addressOf(server: Server, host: string): string {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const scheme = 'setSecureContext' in server ? 'https' : 'http'
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** A port that nobody listens on. */
export async function freePort(host: string): Promise<number> {
  const server = createServer()
  try {
    await once(server.listen({ host, port: 0, exclusive: true }), 'listening')
    return (server.address() as AddressInfo).port
  } catch (error) {
    throw explainListening(error as NodeJS.ErrnoException, { host, port: 0, settings: 'PETSTORE' })
  } finally {
    server.close()
  }
}

/** Whether another program listens on the port. */
export async function isTaken(host: string, port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen({ host, port, exclusive: true }), 'listening')
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
  } finally {
    server.close()
  }
}

/** An error that names the setting to change. */
export function explainListening(error: NodeJS.ErrnoException, { host, port, settings }: Endpoint): Error {
  const { host: hostName, port: portName } = settingNames[settings]
  switch (error.code) {
    case 'EADDRINUSE':
      return new Failure(
        `Port ${port} on ${host} is taken by another program: set ${portName} to a free one (0 picks one).`,
      )
    case 'EACCES':
      return new Failure(`Port ${port} needs more privileges than this user has: set ${portName} to one above 1023.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Failure(`${hostName} must be an address of this machine, got "${host}".`)
    default:
      return error
  }
}
