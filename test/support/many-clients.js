// A process of many clients. Its argument is JSON: the port, their number (`count`), the path, the keys that they use in
// turn, and the body of a POST, if it is one. A third reads, a third reads slowly, a third reads nothing; with `isSilent`
// all. Who reads, or was cut, asks again. It prints how often the readers got which status, once a second.
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

const { port, count, path, keys, body, isSilent = false } = JSON.parse(process.argv[2])
const statuses = {}

function requestOf(index) {
  const head = `Host: petstore\r\nAuthorization: Bearer ${keys[index % keys.length]}\r\nConnection: close\r\n`
  if (body === undefined) return `GET ${path} HTTP/1.1\r\n${head}\r\n`
  const types = 'Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n'
  return `POST ${path} HTTP/1.1\r\n${head}${types}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

function start(index) {
  const socket = connect(Number(port), '127.0.0.1')
  let isFirst = true
  socket.on('error', () => undefined)
  socket.on('close', () => setTimeout(start, 1_000, index))
  socket.on('data', (bytes) => {
    if (!isFirst) return
    isFirst = false
    const status = bytes.toString('latin1', 9, 12)
    statuses[status] = (statuses[status] ?? 0) + 1
  })
  socket.on('connect', () => {
    socket.write(requestOf(index))
    if (isSilent || index % 3 !== 0) socket.pause()
    if (isSilent || index % 3 !== 1) return
    const reading = setInterval(() => {
      socket.resume()
      setImmediate(() => socket.pause())
    }, 500)
    socket.on('close', () => clearInterval(reading))
  })
}

setInterval(() => console.log(JSON.stringify(statuses)), 1_000)
for (let index = 0; index < Number(count); index++) {
  start(index)
  if (index % 100 === 99) await wait(10)
}
