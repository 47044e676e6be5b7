import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const git = (root: string, ...args: string[]) => spawnSync('git', ['-C', root, ...args], { encoding: 'utf8' })

/** False in a copy of the files alone, in a shallow clone, and where git refuses to look. */
export function hasWholeHistory(root: string): boolean {
  return git(root, 'rev-parse', '--is-shallow-repository').stdout?.trim() === 'false'
}

/** Whether HEAD is this commit or comes after it. */
export function isInHistory(root: string, commit: string): boolean {
  return git(root, 'merge-base', '--is-ancestor', commit, 'HEAD').status === 0
}

export const lostMark = ' (not in the history)'

export interface NamedCommit {
  page: string
  commit: string
  isMarkedLost: boolean
}

/** The measured commits that pages name: eight digits, one of them a decimal one. */
export function namedCommits(root: string): NamedCommit[] {
  const pages = ['docs/quality.md', 'test/mutants/README.md', ...globSync('bench/results*.md', { cwd: root })]
  const pattern = /\b(?=\w*\d)([0-9a-f]{8})\b(?: and changes)?(?<mark> \(not in the history\))?/g
  return pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(pattern)].map(([, commit = '', mark]) => ({
      page,
      commit,
      isMarkedLost: mark !== undefined,
    })),
  )
}
