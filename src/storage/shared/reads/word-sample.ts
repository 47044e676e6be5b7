/** Pets of a sample, at most. */
export const sampleSize = 256
/** Shares that are kept, of words of at most 100 characters. */
const maxKnownShares = 1_000
/** How long a sample is used. Only the cost of a search depends on it, never what it finds. */
const usedForMs = 10_000

/** How common words are, by pets from the whole shop. */
export interface WordSample {
  /** How many pets the shop has, about. */
  pets: number
  /** The part of them that has a word that begins so. 0 if none of the sample has. */
  shareOf(beginning: string): number
}

/**
 * Spread evenly over all ids that were given. Where animals were removed, the next one stands for many. `place` says
 * which id of each of the equal parts: from 0, the first, to 1.
 */
export function sampledIds(highest: bigint | null, size = sampleSize, place = () => 0): bigint[] {
  const last = Number(highest ?? 0n)
  const length = Math.min(size, last)
  return Array.from({ length }, (_none, nth) => BigInt(1 + Math.floor(((nth + place()) * last) / length)))
}

/** `sampled` has the words of each pet of the sample. */
export function wordSample(sampled: readonly (readonly string[])[], highest: bigint | null): WordSample {
  const texts = sampled.map((words) => ` ${words.join(' ')}`)
  const shares = new Map<string, number>()
  return {
    pets: Number(highest ?? 0n),
    shareOf(beginning) {
      const known = shares.get(beginning)
      if (known !== undefined) return known
      const share = texts.filter((text) => text.includes(` ${beginning}`)).length / Math.max(texts.length, 1)
      if (shares.size < maxKnownShares) shares.set(beginning, share)
      return share
    },
  }
}

/** Makes a sample when it is needed, and uses it for a while. */
export function keepSample<Sample>(make: () => Sample): { get(): Sample; forget(): void } {
  let kept: { sample: Sample; endAt: number } | undefined
  return {
    get() {
      if (kept === undefined || performance.now() >= kept.endAt) {
        kept = { sample: make(), endAt: performance.now() + usedForMs }
      }
      return kept.sample
    },
    forget: () => void (kept = undefined),
  }
}
