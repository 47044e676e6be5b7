import { isInHistory, namedCommits } from '../test/quality/history.ts'

/** What pages say about the commits that were measured and is not true: each in one sentence. */
export function faultsOfNamedCommits(root: string): string[] {
  return namedCommits(root).flatMap(({ page, commit, isMarkedLost }) => {
    if (isInHistory(root, commit) !== isMarkedLost) return []
    return isMarkedLost
      ? [`${page} says that ${commit} is not in the history, but it is`]
      : [`${page} names ${commit}, which is not in the history`]
  })
}
