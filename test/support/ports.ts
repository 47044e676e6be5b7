import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that the system hands out by itself: nobody takes one while its owner is being restarted. */
const lowest = 20_000
const highest = 32_000
const given = new Set<number>()

/** A port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + Math.floor(Math.random() * (highest - lowest))
    if (given.has(port)) continue
    given.add(port)
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
