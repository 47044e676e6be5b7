import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { openStorage } from '../../../src/storage/open.ts'
import { temporaryFolder } from '../../support/engines.ts'
import { run } from '../../support/service.ts'

test('petstore check takes no more memory for many animals', async (t) => {
  const path = join(temporaryFolder(t), 'petstore.db')
  await (await openStorage(`sqlite:${path}`, { environment: 'production' })).close()
  const db = new DatabaseSync(path)
  const count = 25_000
  // One word for the index, and almost a kilobyte for whoever holds the names.
  const name = `pet${'.'.repeat(987)}`
  db.exec(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO pets (id, name, category_id) SELECT i, '${name}', i FROM n;
    INSERT INTO pet_words (rowid, words) SELECT id, 'pet !pet' FROM pets;
    INSERT INTO events (type, subject, at, data)
      SELECT 'pet.created', id, 0, '{"id":' || id || ',"name":"${name}","categoryId":' || id || '}' FROM pets;
    INSERT INTO day_counts VALUES (0, ${count}, 0, 0, 0, 0);
    INSERT INTO category_counts SELECT id, 0, 0, 0, 1 FROM pets;
    INSERT INTO lineages (number, id, began_at, events_before) VALUES (1, 'abcdefgh', 0, 0);
    UPDATE pet_totals SET none = ${count}`)
  db.close()
  // In MiB. The names of the animals alone would need more.
  const env = { PETSTORE_DATABASE_URL: `sqlite:${path}`, NODE_OPTIONS: '--max-old-space-size=24' }

  const { code, stdout, stderr } = await run(t, ['check'], { env })

  assert.equal(code, 0, stdout + stderr)
})
