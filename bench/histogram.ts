/** Latencies in buckets that grow with the value: exact to 1.6 %, however long it runs, in 8 KiB. */
export interface Histogram {
  /** Milliseconds. */
  add(latency: number): void
  /** The latency in milliseconds that this share of all latencies does not exceed; NaN when there are none. */
  quantile(share: number): number
}

const bitsKept = 6
const steps = 1 << bitsKept

export function histogram(): Histogram {
  const counts = new Uint32Array(2048)
  let total = 0

  return {
    add(latency) {
      const microseconds = Math.max(0, Math.min(latency * 1000, 0x7fffffff)) | 0
      const bucket = bucketOf(microseconds)
      counts[bucket] = (counts[bucket] as number) + 1
      total++
    },
    quantile(share) {
      let left = Math.ceil(total * share)
      if (left === 0) return Number.NaN
      for (let bucket = 0; bucket < counts.length; bucket++) {
        left -= counts[bucket] as number
        if (left <= 0) return middleOf(bucket) / 1000
      }
      return Number.NaN
    },
  }
}

// Below 128 µs one bucket per microsecond; above, 64 buckets for each doubling.
function bucketOf(microseconds: number): number {
  const shift = Math.max(0, 31 - Math.clz32(microseconds) - bitsKept)
  return shift * steps + (microseconds >>> shift)
}

function middleOf(bucket: number): number {
  const shift = Math.max(0, Math.floor(bucket / steps) - 1)
  return ((bucket - shift * steps) * 2 + 1) * 2 ** (shift - 1)
}
