import { createServer } from 'node:http'
import { sameBytes } from './same-bytes.ts'

// The floor: what Node's HTTP server costs when there is nothing to do. No key, no router, no log.
const { BYTES = '', PORT = '' } = process.env
const { answerTo } = sameBytes(BYTES)
let lastId = 0

createServer((request, response) => {
  if (request.method === 'GET') {
    const body = answerTo(request.url as string)
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length })
    response.end(body)
    return
  }
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (part: string) => (text += part))
  request.on('end', () => {
    const body = JSON.stringify({ id: ++lastId, ...(JSON.parse(text) as object) })
    response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
    response.end(body)
  })
}).listen(Number(PORT), '127.0.0.1')
