import { type CommonWords, openCommonWords } from '../../shared/reads/common-words.ts'
import type { Search } from '../../shared/reads/find-by-name.ts'
import { keepSample, sampleSize, type WordSample, wordSample } from '../../shared/reads/word-sample.ts'
import type { Statement } from '../connection/statement.ts'
import type { Reads } from './read.ts'

/** Words that may be looked up. A text of 100 characters may have 50. */
const maxWords = 4
/** What the server takes, in milliseconds: for a pet of a list, an entry of the index, and a pet that has the words. */
const costs = { scanned: 0.0009, entry: 0.00012, match: 0.005 }
/** The index must find all matches before the first is known. If that takes longer, the list is scanned instead. */
const maxLookUpMs = 40

/** Which words the index finds sooner than the list. */
export interface WordStatistics {
  /** One word or two of the search, if to look them up costs less than to scan the list until the page is full. */
  wordsToLookUp(search: Search): Promise<string[] | undefined>
  /** Words that took too long to look up, though the sample has few of them. */
  common: CommonWords
}

export function openWordStatistics({ readUncounted }: Reads): WordStatistics {
  const common = openCommonWords()
  const sample = keepSample(() => {
    const reading = readUncounted(sampled, []).then(({ rows }) => {
      const pets = rows as [highest: bigint, words: string][]
      return wordSample(
        pets.map(([, words]) => words.split(' ')),
        pets[0]?.[0] ?? null,
      )
    })
    reading.catch(() => sample.forget())
    return reading
  })

  return {
    async wordsToLookUp(search) {
      const known = await sample.get()
      const shareOf = (word: string) => Math.max(known.shareOf(word), 1 / (2 * sampleSize))
      const rarestFirst = search.words
        .toSorted((one, other) => other.length - one.length)
        .slice(0, maxWords)
        .toSorted((one, other) => shareOf(one) - shareOf(other))
      const [rarest, next] = rarestFirst.filter((word) => !common.has(word))
      if (rarest === undefined) return undefined
      const [one, both] = [[rarest], next === undefined ? [rarest] : [rarest, next]]
      const costOf = (words: readonly string[]) => lookUpMs(words.map(shareOf), known.pets)
      const words = costOf(one) <= costOf(both) ? one : both
      const limitMs = Math.min(maxLookUpMs, scanMs(search, rarestFirst.slice(0, 2).map(shareOf), known))
      return costOf(words) <= limitMs ? words : undefined
    },
    common,
  }
}

/** What it costs to find all pets that have words with these shares. */
function lookUpMs(shares: readonly number[], pets: number): number {
  const entries = shares.reduce((sum, share) => sum + share, 0)
  return pets * (costs.entry * entries + costs.match * productOf(shares))
}

/** What it costs to scan a list without a filter until the page is full. */
function scanMs({ sort, after, limit }: Search, shares: readonly number[], { pets }: WordSample): number {
  const behind = sort === 'id' ? pets - Number(after) : after === 0n ? pets : Number(after)
  return costs.scanned * Math.min(Math.max(behind, 0), limit / productOf(shares))
}

function productOf(shares: readonly number[]): number {
  return shares.reduce((product, share) => product * share, 1)
}

/** The words of pets from the whole shop, each with the highest id. */
const sampled: Statement = {
  name: 'sampled_words',
  text: `
    SELECT highest, left(words, 400) FROM (SELECT max(id) AS highest FROM pets) AS shop,
      generate_series(0, ${sampleSize - 1}) AS nth,
      LATERAL (SELECT words FROM pets WHERE id > trunc(highest::numeric * nth / ${sampleSize})::int8
        ORDER BY id LIMIT 1) AS sampled`,
}
