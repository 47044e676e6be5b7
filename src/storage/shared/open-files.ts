import { readdirSync, readFileSync } from 'node:fs'

export interface OpenFiles {
  /** How many files and sockets this process has open. */
  used: number
  limit: number
}

/** Undefined where the system does not tell. */
export function openFiles(): OpenFiles | undefined {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    const soft = /^Max open files\s+(\S+)/m.exec(limits)?.[1] ?? ''
    // The folder itself is open while it is read.
    return { used: readdirSync('/proc/self/fd').length - 1, limit: soft === 'unlimited' ? Infinity : Number(soft) }
  } catch {
    return undefined
  }
}

export const howToRaise = 'raise the limit (ulimit -n; LimitNOFILE= of systemd)'

/** Why a file cannot be opened, if too many are open; `needed` is how many more an operation needs. */
export function tooManyOpenFiles(needed: number): string | undefined {
  const files = openFiles()
  if (files === undefined || files.used + needed <= files.limit) return undefined
  return `This process may open ${files.limit} files and has opened ${files.used}: ${howToRaise}.`
}
