// A process of many clients. Its arguments: the port, their number, the path, and the keys that they use in turn. A third
// reads, a third reads slowly, a third reads nothing. It prints how often the readers got which status, once a second.
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

const [port, count, path, ...keys] = process.argv.slice(2)
const statuses = {}

function start(index) {
  const socket = connect(Number(port), '127.0.0.1')
  const head = `Host: petstore\r\nAuthorization: Bearer ${keys[index % keys.length]}\r\nConnection: close\r\n`
  let isFirst = true
  socket.on('error', () => undefined)
  socket.on('data', (bytes) => {
    if (!isFirst) return
    isFirst = false
    const status = bytes.toString('latin1', 9, 12)
    statuses[status] = (statuses[status] ?? 0) + 1
  })
  socket.on('connect', () => {
    socket.write(`GET ${path} HTTP/1.1\r\n${head}\r\n`)
    if (index % 3 !== 0) socket.pause()
    if (index % 3 !== 1) return
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
