import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { noteArrival } from '../../inventory/loop-steps.ts'
import { Connection, type ConnectionOptions, type Pipelined } from './connection.ts'

/** On all connections together. */
const maxPipelined = 64

export type Connections = ReturnType<typeof trackConnections>

/** All open connections of a server. */
export function trackConnections(options: ConnectionOptions) {
  const open = new Map<Socket, Connection>()
  const pipelined: Pipelined = { count: 0 }
  return {
    all: () => open.values(),
    count: () => open.size,
    pipelinedCount: () => pipelined.count,

    /**
     * Whether requests may wait for connections that arrive. Near the limit they would make idle connections, which are
     * closed, of those that could end. And each connection may bring pipelined requests, which are in memory until their
     * turn.
     */
    haveRoom: () => 2 * open.size <= options.limits.maxConnections && pipelined.count <= maxPipelined,
    get: (socket: Socket) => open.get(socket),

    accept(socket: Socket): void {
      noteArrival()
      const connection = new Connection(socket, options, pipelined)
      open.set(socket, connection)
      socket.once('close', () => {
        open.delete(socket)
        connection.dropPipelined()
      })
    },

    receive(request: IncomingMessage, response: ServerResponse): void {
      open.get(request.socket)?.receive(request, response)
    },
  }
}
