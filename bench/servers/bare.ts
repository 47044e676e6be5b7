import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { sameBytes } from './same-bytes.ts'

// The floor: what Node's HTTP server costs when there is nothing to do. No key, no router, no log. With HEADERS it sends
// as many headers as the service, of the same length. With GZIP it compresses every page, at the level of the service.
const { BYTES = '', PORT = '', HEADERS, GZIP, PETSTORE_TLS_CERT: cert, PETSTORE_TLS_KEY: key } = process.env
const more =
  HEADERS === undefined
    ? {}
    : {
        'X-Request-Id': '0123456789ab-12345',
        'X-Content-Type-Options': 'nosniff',
        Vary: 'Prefer',
        ETag: '"0123456789012345678901234567+"',
        'Cache-Control': 'private, no-cache',
        Link: '<http://127.0.0.1/v1/pets?cursor=AAAAAAAAABQwMTIzNDU2N01gbBw>; rel="next"',
        'Next-Cursor': 'AAAAAAAAABQwMTIzNDU2N01gbBw',
      }
const { answerTo } = sameBytes(BYTES)
let lastId = 0

// Loaded only if used: the memory of this server is the floor, too.
const { gzipSync } = GZIP === undefined ? {} : await import('node:zlib')
const coded = GZIP === undefined ? more : { ...more, 'Content-Encoding': 'gzip' }

const answer: RequestListener = (request, response) => {
  if (request.method === 'GET') {
    const bytes = answerTo(request.url as string)
    const body = gzipSync === undefined ? bytes : gzipSync(bytes, { level: 1 })
    response.writeHead(200, { ...coded, 'Content-Type': 'application/json', 'Content-Length': body.length })
    response.end(body)
    return
  }
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (part: string) => (text += part))
  request.on('end', () => {
    const body = JSON.stringify({ id: ++lastId, ...(JSON.parse(text) as object) })
    response.writeHead(201, { ...more, 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
    response.end(body)
  })
}

const server =
  cert !== undefined && key !== undefined
    ? (await import('node:https')).createServer({ cert: readFileSync(cert), key: readFileSync(key) }, answer)
    : createServer(answer)
server.listen(Number(PORT), '127.0.0.1')
