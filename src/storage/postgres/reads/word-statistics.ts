import { type CommonWords, openCommonWords } from '../../shared/reads/common-words.ts'
import type { Search } from '../../shared/reads/find-by-name.ts'
import { boundOf } from '../../shared/reads/page.ts'
import { beginningOf } from '../schema/name-index.ts'
import { forEachList } from './lists.ts'
import type { Reads } from './read.ts'

/** A word is rare if at most one in so many pets has it. */
const rareShare = 400
/** Words that are counted. A text of 100 characters may have 50. */
const maxCountedWords = 4
/** Which words the index can look up soon. */
export interface WordStatistics {
  /**
   * The rarest of the longest words, if it is rare among the first pets of the list. `matches` of these have all, if that
   * is known.
   */
  rareWordOf(search: Search, matches?: number): Promise<string | undefined>
  /** Words that took too long to look up: many pets have them, though not the first ones of a list. */
  common: CommonWords
}

/** `sampleSize`: how many pets of a list are counted. */
export function openWordStatistics({ readUncounted }: Reads, sampleSize: number): WordStatistics {
  const common = openCommonWords()

  async function countsOf(words: readonly string[], { filter, sort, after }: Search): Promise<Map<string, number>> {
    const { statement, values } = samples[sort](filter)
    const { rows } = await readUncounted(statement, [
      ...values,
      boundOf(sort, after),
      sampleSize,
      words.map(beginningOf),
    ])
    return new Map(
      (rows as [nth: bigint, pets: bigint][]).map(([nth, pets]) => [words[Number(nth) - 1] ?? '', Number(pets)]),
    )
  }

  return {
    async rareWordOf(search, matches) {
      const words = search.words.toSorted((one, other) => other.length - one.length).slice(0, maxCountedWords)
      const candidates = words.filter((word) => !common.has(word))
      if (candidates.length === 0) return undefined
      const isCounted = matches !== undefined && search.words.length === 1
      const counts = isCounted ? new Map([[words[0], matches]]) : await countsOf(candidates, search)
      const countOf = (word: string) => counts.get(word) ?? 0
      const [rarest] = candidates.toSorted((one, other) => countOf(one) - countOf(other))
      return rarest !== undefined && countOf(rarest) * rareShare <= sampleSize ? rarest : undefined
    },
    common,
  }
}

/** How many of the first pets of a list have each word. The parameters are those of the list, a number and patterns. */
const samples = forEachList(({ name, rows, parameters }) => ({
  name: `sample_${name}`,
  text: `
    SELECT asked.nth, count(*) FROM (SELECT words ${rows} LIMIT $${parameters + 1}) AS sampled,
        unnest($${parameters + 2}::text[]) WITH ORDINALITY AS asked (pattern, nth)
      WHERE ' ' || words LIKE pattern GROUP BY asked.nth`,
}))
