import { createServer, type AddressInfo } from 'node:net'
import { setPriority } from 'node:os'
import { histogram } from '../histogram.ts'

/**
 * Receives webhooks at the least cost, since it shares its core with the load: it takes what a connection sends for one
 * request, and responds 204. The load goes first. Sends its port to the process that started it and, for each of its
 * messages, how late 99 % of the events since the one before came at most, in milliseconds: null without events.
 */
const response = 'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n'
const endOfHead = '\r\n\r\n'
const happenedAt = /"time":"([^"]+)"/
const lengthHeader = /\r\ncontent-length: (\d+)\r\n/i

let delays = histogram()

setPriority(10)
const server = createServer((socket) => {
  let received = ''
  socket.setEncoding('latin1').on('error', () => socket.destroy())
  socket.on('data', (text) => {
    received += text
    const bodyStart = received.indexOf(endOfHead) + endOfHead.length
    const length = Number(lengthHeader.exec(received)?.[1] ?? 0)
    if (bodyStart < endOfHead.length || received.length - bodyStart < length) return
    socket.end(response)
    const [, time] = happenedAt.exec(received) ?? []
    delays.add(time === undefined ? Infinity : Date.now() - Date.parse(time))
  })
})
process.on('message', () => {
  // JSON makes null of NaN.
  process.send?.(delays.quantile(0.99))
  delays = histogram()
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => process.exit())
