import type { Frames } from './frames.ts'

/** What one stream was sent and its client has not taken yet. */
export interface SendBuffer {
  hold(frames: Frames): void
  /** The oldest frames were taken. */
  release(): void
  releaseAll(): void
}

/**
 * Bounds the bytes that all streams together hold; frames that several of them hold count once. Beyond `maxBytes` those
 * that have been waiting longest for their client are cut.
 */
export function sendBuffers(maxBytes: number): (cut: () => void) => SendBuffer {
  const holders = new Map<Frames, number>()
  /** Those that hold anything, in the order in which they began to wait. */
  const waiting = new Map<SendBuffer, () => void>()
  let heldBytes = 0
  let isChecking = false

  // In the next turn: what the system takes at once is gone by then, and nobody is cut for it.
  function checkSoon(): void {
    if (isChecking || heldBytes <= maxBytes) return
    isChecking = true
    setImmediate(() => {
      isChecking = false
      for (const [buffer, cut] of waiting) {
        if (heldBytes <= maxBytes) return
        buffer.releaseAll()
        cut()
      }
    })
  }

  return (cut) => {
    const held: Frames[] = []
    const buffer: SendBuffer = {
      hold(frames) {
        const count = holders.get(frames) ?? 0
        if (count === 0) heldBytes += frames.bytes.length
        holders.set(frames, count + 1)
        held.push(frames)
        waiting.set(buffer, cut)
        checkSoon()
      },
      release() {
        const frames = held.shift()
        if (frames === undefined) return
        if (held.length === 0) waiting.delete(buffer)
        const count = holders.get(frames) as number
        if (count > 1) return void holders.set(frames, count - 1)
        holders.delete(frames)
        heldBytes -= frames.bytes.length
      },
      releaseAll() {
        while (held.length > 0) buffer.release()
      },
    }
    return buffer
  }
}
