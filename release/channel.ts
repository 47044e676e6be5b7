import { join } from 'node:path'
import { mustRun } from '../test/support/cache.ts'

/**
 * Under which name people get a release who ask for no version: `latest` for the newest one, `next` for one that is to be
 * tried, and a name such as `release-1.1` for a correction of an older version, which must not take the newest one back.
 */
export function channelOf(tag: string, tags: readonly string[]): string {
  const own = readTag(tag)
  if (own === undefined) return 'next'
  const isNewest = tags.every((other) => {
    const numbers = readTag(other)
    return numbers === undefined || compare(numbers, own) <= 0
  })
  return isNewest ? 'latest' : `release-${own[0]}.${own[1]}`
}

/** The three numbers of a tag of a release. */
function readTag(tag: string): [number, number, number] | undefined {
  const numbers = /^v(\d+)\.(\d+)\.(\d+)$/.exec(tag)?.slice(1).map(Number)
  return numbers as [number, number, number] | undefined
}

function compare(one: readonly number[], other: readonly number[]): number {
  const place = one.findIndex((number, index) => number !== other[index])
  return place === -1 ? 0 : (one[place] ?? 0) - (other[place] ?? 0)
}

// For the workflow of a release: prints the name for a tag.
if (import.meta.main) {
  const tags = mustRun('git', ['-C', join(import.meta.dirname, '..'), 'tag', '--list']).split('\n')
  process.stdout.write(`${channelOf(process.argv[2] ?? '', tags)}\n`)
}
