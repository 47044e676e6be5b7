import { readFileSync } from 'node:fs'

/** The ids of the processes that it started, the oldest first. On Linux only. */
export function childrenOf({ pid }: { pid?: number | undefined }): string[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
}
