import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

// A wire of some length: `node bench/studies/delay.ts PORT MILLISECONDS` passes everything on to that port, each way after that
// time, and tells its own port to the process that started it. Timers are exact to a millisecond only, so it watches the
// clock itself while something is on its way.

const [port = Number.NaN, delay = Number.NaN] = process.argv.slice(2).map(Number)
const onItsWay: { due: number; arrive: () => void }[] = []

function pass(from: Socket, to: Socket): void {
  from.setNoDelay()
  from.on('data', (bytes) => send(() => to.write(bytes)))
  from.on('error', () => undefined)
  from.on('close', () => send(() => to.destroy()))
}

function send(arrive: () => void): void {
  onItsWay.push({ due: performance.now() + delay, arrive })
  if (onItsWay.length === 1) setImmediate(watch)
}

function watch(): void {
  const now = performance.now()
  while (onItsWay[0] !== undefined && onItsWay[0].due <= now) onItsWay.shift()?.arrive()
  if (onItsWay.length > 0) setImmediate(watch)
}

const server = createServer((client) => {
  const target = connect(port, '127.0.0.1')
  pass(client, target)
  pass(target, client)
}).listen(0, '127.0.0.1')
await once(server, 'listening')
process.send?.((server.address() as AddressInfo).port)
process.on('disconnect', () => process.exit())
