import { once } from 'node:events'
import type { Server } from 'node:http'
import { isIPv6 } from 'node:net'
import { Failure } from '../failure.ts'

/** Starts listening and returns the address, such as http://127.0.0.1:8080. `setting` is named when the port is taken. */
export async function listening(server: Server, host: string, port: number, setting: string): Promise<string> {
  server.listen({ host, port })
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw explainListening(error, host, port, setting)
  })
  return addressOf(server, host)
}

export function addressOf(server: Server, host: string): string {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`
}

export function explainListening(error: NodeJS.ErrnoException, host: string, port: number, setting: string): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new Failure(
        `Port ${port} on ${host} is taken by another program: set ${setting} to a free one (0 picks one).`,
      )
    case 'EACCES':
      return new Failure(`Port ${port} needs more rights than this user has: set ${setting} to one above 1023.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Failure(`PETSTORE_HOST must be an address of this machine, got "${host}".`)
    default:
      return error
  }
}
