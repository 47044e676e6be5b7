import { createServer, type AddressInfo } from 'node:net'
import { setPriority } from 'node:os'

/**
 * Receives webhooks at the least cost, since it shares its core with the load: it takes what a connection sends for one
 * request, and responds 204. The load goes first. Sends its port to the process that started it.
 */
const response = 'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n'
const endOfHead = '\r\n\r\n'
const lengthHeader = /\r\ncontent-length: (\d+)\r\n/i

setPriority(10)
const server = createServer((socket) => {
  let received = ''
  socket.setEncoding('latin1').on('error', () => socket.destroy())
  socket.on('data', (text) => {
    received += text
    const bodyStart = received.indexOf(endOfHead) + endOfHead.length
    const length = Number(lengthHeader.exec(received)?.[1] ?? 0)
    if (bodyStart >= endOfHead.length && received.length - bodyStart >= length) socket.end(response)
  })
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
