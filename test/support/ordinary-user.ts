import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** For `spawn`. */
export interface User {
  uid?: number
  gid?: number
}

const nobody = 65534

/** A user to whom permissions apply: whoever runs the tests, or "nobody" if that is root, who may do everything. */
export const ordinaryUser: User = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {}

const program = fileURLToPath(new URL('../../src/cli/start.js', import.meta.url))

/** Why tests as an ordinary user are skipped; false if they are not. */
export function skipAsOrdinaryUser(): string | false {
  if (process.platform === 'win32') return 'NOT TESTED: Windows has other permissions'
  const { status } = spawnSync(process.execPath, [program, '--version'], { ...ordinaryUser, cwd: '/' })
  return status === 0 ? false : 'NOT TESTED: the user "nobody" may not read this checkout'
}
