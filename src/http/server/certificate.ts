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

/**
 * Mozilla's "intermediate" configuration: TLS 1.3, and TLS 1.2 with forward secrecy and authenticated encryption. DHE
 * is left out: it needs parameters of its own. Clients choose: all of the list is strong, and they know which is fast.
 */
const protocol = {
  minVersion: 'TLSv1.2',
  ciphers: [
    'TLS_AES_128_GCM_SHA256',
    'TLS_AES_256_GCM_SHA384',
    'TLS_CHACHA20_POLY1305_SHA256',
    'ECDHE-ECDSA-AES128-GCM-SHA256',
    'ECDHE-RSA-AES128-GCM-SHA256',
    'ECDHE-ECDSA-AES256-GCM-SHA384',
    'ECDHE-RSA-AES256-GCM-SHA384',
    'ECDHE-ECDSA-CHACHA20-POLY1305',
    'ECDHE-RSA-CHACHA20-POLY1305',
  ].join(':'),
  ecdhCurve: 'X25519MLKEM768:X25519:prime256v1:secp384r1',
  honorCipherOrder: false,
} as const

/** All that a new certificate sets: a setting that is left out would fall back to Node's own. */
function secureContext({ cert, key }: Certificate) {
  return { cert, key, ...protocol }
}

/** A server for HTTP/1.1 over TLS. */
export function createTlsServer(certificate: Certificate, receive: RequestListener): HttpsServer {
  // As node-http.ts: `import` would load more than a server needs.
  const https = process.getBuiltinModule('node:https')
  const options = { ...serverLimits, ...secureContext(certificate), handshakeTimeout: handshakeTimeoutMs }
  // Like a plain server: TLS would otherwise end a connection as soon as the client has ended its side.
  return https.createServer({ ...options, allowHalfOpen: true }, receive)
}

/** Gives a TLS server a new certificate. Open connections keep the old one. */
export function replaceCertificate(server: HttpServer, certificate: Certificate): void {
  ;(server as HttpsServer).setSecureContext(secureContext(certificate))
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
