import type { TestApp } from './app.ts'

/** Counts the lists that are read from the storage. */
export function countReads({ storage }: TestApp): () => number {
  let reads = 0
  const { pets } = storage
  const { list } = pets
  pets.list = (...input) => {
    reads++
    return list(...input)
  }
  return () => reads
}
