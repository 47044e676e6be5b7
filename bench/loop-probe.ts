import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into the service (`node --import`): measures its event loop. At every SIGWINCH, a signal that the service does
 * not use, it appends the longest step since the last one to the file LOOP_PROBE. A timer of one millisecond runs in every tick that takes longer, so what lies
 * between two of its calls is one step, and at most a millisecond more.
 */
if (isMainThread) {
  let longest = { wallMs: 0, cpuMs: 0 }
  let lastAt = performance.now()
  let lastCpu = process.threadCpuUsage()

  function tick(): void {
    const at = performance.now()
    const cpu = process.threadCpuUsage()
    const cpuMs = (cpu.user + cpu.system - lastCpu.user - lastCpu.system) / 1_000
    longest = { wallMs: Math.max(longest.wallMs, at - lastAt), cpuMs: Math.max(longest.cpuMs, cpuMs) }
    lastAt = at
    lastCpu = cpu
  }

  setInterval(tick, 1).unref()
  process.on('SIGWINCH', () => {
    tick()
    appendFileSync(process.env['LOOP_PROBE'] as string, `${JSON.stringify(longest)}\n`)
    longest = { wallMs: 0, cpuMs: 0 }
  })
}
