/** A number with its noun: 1 animal, 12,000 animals. */
export function amount(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`
}

export function grouped(count: number): string {
  return Math.round(count).toLocaleString('en')
}

/** A duration: 0.04 s, 8.1 s, 190 s. */
export function seconds(milliseconds: number): string {
  const value = milliseconds / 1000
  return `${value < 0.1 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : grouped(value)} s`
}

export function megabytes(bytes: number): string {
  const value = bytes / 1_000_000
  return `${value < 10 ? value.toFixed(1) : grouped(value)} MB`
}
