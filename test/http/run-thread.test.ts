import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runThread } from '../../src/http/pages/run-thread.ts'

/** A thread that posts when it began and when it ended, in milliseconds. */
const timed = script(`
  import { parentPort } from 'node:worker_threads'
  const began = Date.now()
  await new Promise((resolve) => setTimeout(resolve, 50))
  parentPort.postMessage({ began, ended: Date.now() })
`)

function script(text: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(text)}`)
}

test('threads that make files run one after the other, so that their memory does not add up', async () => {
  const runs = await Promise.all([1, 2, 3].map(() => runThread<{ began: number; ended: number }>(timed)))

  for (const [index, { began }] of runs.entries()) assert.ok(began >= (runs[index - 1]?.ended ?? 0))
})

test('a thread that fails does not keep the next one from running', async () => {
  const failed = runThread(script('throw new Error("no file")'))
  const next = runThread<{ began: number }>(timed)

  await assert.rejects(failed, { message: 'no file' })
  assert.ok((await next).began > 0)
})
