import { readdirSync, readFileSync } from 'node:fs'

/** The ids of the processes that it started, the oldest first. On Linux only. */
export function childrenOf({ pid }: { pid?: number | undefined }): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
}

/** Whether a process of this group still runs: one that has ended may not have been collected yet. On Linux only. */
export function isGroupRunning(group: number): boolean {
  return readdirSync('/proc').some((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const [state, , pgrp] = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ')
      return Number(pgrp) === group && state !== 'Z'
    } catch {
      return false
    }
  })
}
