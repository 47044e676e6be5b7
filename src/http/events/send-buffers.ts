import type { Frames } from './frames.ts'

/** The bytes of one stream that its client has not read yet. */
export interface SendBuffer {
  hold(frames: Frames): void
  /** Releases the oldest frames. */
  release(): void
  releaseAll(): void
}

/**
 * Limits the unread bytes of all streams; frames shared by several streams count once. Above `maxBytes` the streams
 * that have waited longest for their client are closed.
 */
export function sendBuffers(maxBytes: number): (cut: () => void) => SendBuffer {
  const holders = new Map<Frames, number>()
  /** The buffers that are not empty, in the order in which they began to wait. */
  const waiting = new Map<SendBuffer, () => void>()
  let heldBytes = 0
  let isChecking = false

  // In the next tick: bytes that the system takes at once do not count.
  function scheduleCheck(): void {
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
        scheduleCheck()
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
