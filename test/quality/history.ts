import { spawnSync } from 'node:child_process'

const git = (root: string, ...args: string[]) => spawnSync('git', ['-C', root, ...args], { encoding: 'utf8' })

/** False in a copy of the files alone, in a shallow clone, and where git refuses to look. */
export function hasWholeHistory(root: string): boolean {
  return git(root, 'rev-parse', '--is-shallow-repository').stdout?.trim() === 'false'
}

/** Whether HEAD is this commit or comes after it. */
export function isInHistory(root: string, commit: string): boolean {
  return git(root, 'merge-base', '--is-ancestor', commit, 'HEAD').status === 0
}
