import type { User } from './ordinary-user.ts'

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

export interface CommandOptions {
  env?: Record<string, string>
  /** Default: an empty folder. */
  cwd?: string
  /** Standard input. Default: empty. */
  input?: string | Buffer
  /** The program. Default: that of this checkout. */
  program?: string
  /** The user of the process. Default: that of this one. */
  user?: User
  /** Whether the test writes to standard input and ends it. */
  holdsInput?: boolean
}
