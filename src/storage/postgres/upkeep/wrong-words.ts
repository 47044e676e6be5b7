import { indexedWords } from '../../../inventory/name-words.ts'
import type { Session } from '../connection/database.ts'
import type { Statement } from '../connection/statement.ts'
import { matchesWordsSql } from '../schema/name-index.ts'
import { readByCursor } from './read-by-cursor.ts'

/** Compares the stored words with the names, and looks up some pets in the index of the words. */
export async function* findWrongWords(session: Session): AsyncGenerator<string> {
  const names = readByCursor(session, 'SELECT id, name, words FROM pets ORDER BY id')
  for await (const [id, name, words] of names) {
    if (words !== indexedWords(name as string)) yield `The words of the animal ${id} are not those of its name.`
  }
  yield* findUnindexed(session)
}

/** Pets that are looked up in the index. To look up all would take hours. */
const sampledPets = 100
/** Words that a pet is looked up by: PostgreSQL refuses a search for some thousands. */
const maxWords = 100
const sample = `SELECT id, words FROM pets WHERE words <> '' ORDER BY hashint8(id) LIMIT ${sampledPets}`
const readIndexOnly: Statement = {
  text: 'SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off; SET LOCAL enable_indexonlyscan = off',
}
/** OFFSET 0 keeps the planner from looking the pet up by its id. */
const indexed: Statement = {
  text: `SELECT 1 FROM (SELECT id FROM pets WHERE ${matchesWordsSql('$1')} OFFSET 0) AS matching WHERE id = $2`,
}

async function* findUnindexed(session: Session): AsyncGenerator<string> {
  const pets = (await Array.fromAsync(readByCursor(session, sample))) as [id: bigint, words: string][]
  await session.run({ text: 'SAVEPOINT sample' })
  try {
    await session.run(readIndexOnly)
    for (const [id, words] of pets) {
      const search = [...new Set(words.split(' '))].slice(0, maxWords).join(' & ')
      const { rows } = await session.run(indexed, [search, id])
      if (rows.length === 0) yield `The animal ${id} is missing from the index of the words.`
    }
  } finally {
    // The settings end with it.
    if (!session.isLost) await session.run({ text: 'ROLLBACK TO SAVEPOINT sample' })
  }
}
