import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way through which others reach a port. While it is shut, what they send is neither delivered nor refused. */
export interface Gate {
  readonly port: number
  shut(): void
  /** What waited goes on, as after a network fault. */
  open(): void
  /** Ends every connection. */
  remove(): void
}

interface Passage {
  outside: Socket
  /** Undefined for one that came while the gate was shut. */
  inside: Socket | undefined
}

export async function gateTo(target: number): Promise<Gate> {
  const passages = new Set<Passage>()
  let isShut = false

  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (outside) => {
    const passage: Passage = { outside, inside: undefined }
    passages.add(passage)
    watch(passage, outside)
    if (!isShut) join(passage)
  })

  function join(passage: Passage): void {
    if (passage.inside === undefined && !passage.outside.destroyed) {
      passage.inside = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
      passage.outside.setNoDelay(true)
      watch(passage, passage.inside)
    }
    const { outside, inside } = passage
    if (inside === undefined || inside.destroyed || outside.destroyed) return remove(passage)
    outside.pipe(inside)
    inside.pipe(outside)
  }

  function watch(passage: Passage, socket: Socket): void {
    socket.on('error', () => socket.destroy())
    // The other side learns of it when the gate is open again.
    socket.on('close', () => !isShut && remove(passage))
  }

  function remove(passage: Passage): void {
    passages.delete(passage)
    passage.outside.destroy()
    passage.inside?.destroy()
  }

  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    shut() {
      isShut = true
      for (const { outside, inside } of passages) {
        outside.unpipe().pause()
        inside?.unpipe().pause()
      }
    },
    open() {
      isShut = false
      for (const passage of passages) join(passage)
    },
    remove() {
      server.close()
      for (const passage of passages) remove(passage)
    },
  }
}
