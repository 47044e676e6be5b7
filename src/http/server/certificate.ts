import type { Server as HttpServer, RequestListener } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import { serverLimits } from './limits.ts'

/** A certificate with its chain, and its key, both as PEM text. */
export interface Certificate {
  cert: string
  key: string
}

const handshakeTimeoutMs = 5_000
const minVersion = 'TLSv1.2'

/** A server for HTTP/1.1 over TLS. */
export function createTlsServer(certificate: Certificate, receive: RequestListener): HttpsServer {
  // As node-http.ts: `import` would load more than a server needs.
  const https = process.getBuiltinModule('node:https')
  const options = { ...serverLimits, ...certificate, minVersion, handshakeTimeout: handshakeTimeoutMs } as const
  // Like a plain server: TLS would otherwise end a connection as soon as the client has ended its side.
  return https.createServer({ ...options, allowHalfOpen: true }, receive)
}

/** Gives a TLS server a new certificate. Open connections keep the old one. */
export function replaceCertificate(server: HttpServer, certificate: Certificate): void {
  ;(server as HttpsServer).setSecureContext({ ...certificate, minVersion })
}

/** Tracks connections that have no handshake yet. Returns a function that cuts them. */
export function trackHandshakes(server: HttpServer): () => void {
  const pending = new Map<string, Socket>()
  const nameOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket)
    pending.set(name, socket)
    socket.once('close', () => pending.delete(name))
  })
  server.on('secureConnection', (socket: Socket) => pending.delete(nameOf(socket)))
  return () => {
    for (const socket of pending.values()) socket.destroy()
  }
}
