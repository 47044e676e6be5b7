// Preloaded (--import) into the service by hang-threads.ts. A thread that finds its name in the folder opens the FIFO
// there, which waits in the system until somebody writes, as for a stalled disk.
import { existsSync, openSync, writeFileSync } from 'node:fs'
// The Node of npm may be older and have no `threadName`.
import threads from 'node:worker_threads'

const { isMainThread, threadId, threadName } = threads
const fifo = `${process.env.TEST_HANG_FOLDER}/${threadName}`

function hangIfTold() {
  if (!existsSync(fifo)) return
  writeFileSync(`${fifo}-${process.pid}-${threadId}`, '')
  openSync(fifo, 'r')
}

if (!isMainThread) setInterval(hangIfTold, 10).unref()
