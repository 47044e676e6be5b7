import { existsSync } from 'node:fs'
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

// Loaded into a command with --import: kills it with SIGKILL before the change of a file that KILL_AT_STEP counts.

const killAt = Number(process.env['KILL_AT_STEP'])
let step = 0

for (const name of ['copyFile', 'link', 'open', 'rename', 'rm'] as const) {
  const original = fs[name] as (...args: unknown[]) => Promise<unknown>
  Object.assign(fs, {
    [name]: async (...args: unknown[]) => {
      const isStep = name !== 'rm' || existsSync(args[0] as string)
      if (isStep && ++step === killAt) process.kill(process.pid, 'SIGKILL')
      return original(...args)
    },
  })
}
syncBuiltinESMExports()
