import { appendFileSync } from 'node:fs'
import { getHeapStatistics } from 'node:v8'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into a server (`node --import`): at every SIGWINCH, a signal that none uses, it appends the bytes that its
 * event loop has allocated so far to the file HEAP_PROBE.
 */
if (isMainThread) {
  process.on('SIGWINCH', () => {
    const { total_allocated_bytes: bytes } = getHeapStatistics()
    appendFileSync(process.env['HEAP_PROBE'] as string, `${bytes}\n`)
  })
}
