import { indexedWords } from '../../../inventory/name-words.ts'
import { changedAnything, oneByOne } from './batch.ts'
import type { Statement } from '../connection/database.ts'
import type { Readers } from '../reads/readers.ts'
import type { Writer } from './writer.ts'

/** Few at a time, each part in a turn of its own, so that nobody waits long. */
const petsAtOnce = 500
const withoutWords: Statement = {
  name: 'pets_without_words',
  text: `SELECT id, name FROM pets WHERE words IS NULL ORDER BY id LIMIT ${petsAtOnce}`,
}
/** Unless the name was changed meanwhile. */
const addWords: Statement = {
  name: 'add_words',
  text: `
    UPDATE pets SET words = given.words
      FROM unnest($1::int8[], $2::text[], $3::text[]) AS given (id, name, words)
      WHERE pets.id = given.id AND pets.name = given.name AND pets.words IS NULL`,
}

const repairIntervalMs = 60_000

/** Adds the words that an instance of the version before did not write, in the background. */
export function namesRepair({ read }: Readers, writer: Writer): () => void {
  let nextRepairAt = 0

  async function addMissing(): Promise<void> {
    for (let hasAdded = true; hasAdded; ) {
      const { rows } = await read(withoutWords)
      hasAdded = rows.length > 0 && (await writer.write('addWords', rows as [id: bigint, name: string][]))
    }
  }

  return () => {
    if (performance.now() < nextRepairAt) return
    nextRepairAt = Infinity
    addMissing()
      .catch(() => undefined)
      .finally(() => (nextRepairAt = performance.now() + repairIntervalMs))
  }
}

export const nameWrites = {
  /** Resolves to false if no pet was without words any more. */
  addWords: oneByOne<readonly [id: bigint, name: string][], boolean>(
    addWords,
    (pets) => [pets.map(([id]) => id), pets.map(([, name]) => name), pets.map(([, name]) => indexedWords(name))],
    changedAnything,
  ),
}
