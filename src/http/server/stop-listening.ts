import type { Server } from 'node:http'
import { Server as TcpServer } from 'node:net'
import { setImmediate as nextLoopTick } from 'node:timers/promises'

/** Ticks of the event loop without a new connection before the port is closed. */
const quietTicks = 5
/** A tick accepts one connection, and the system queues up to 511 (the default of Node). */
const maxTicks = 1_000

/**
 * Closes the port. The system resets connections that are made but not accepted, so it is first told to queue none:
 * clients that connect now wait and are refused, and can retry. Then queued connections are accepted.
 */
export async function stopListening(server: Server): Promise<void> {
  const { _handle: handle } = server as { _handle?: { listen?(backlog: number): unknown } }
  let quiet = 0
  const count = () => (quiet = 0)
  server.on('connection', count)
  handle?.listen?.(0)
  for (let tick = 0; tick < maxTicks && quiet < quietTicks; tick++) {
    quiet++
    await nextLoopTick()
  }
  server.off('connection', count)
  TcpServer.prototype.close.call(server)
}
