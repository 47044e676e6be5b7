/** Damage of a database, and the check that finds it. */
export interface Damage {
  /** The check that finds it, and what it says first. */
  check: string
  says: RegExp
  sql: string | Partial<Record<string, string>>
}

// To the shop below.
export const damages: Record<string, Damage> = {
  'a count that is too high': {
    check: 'counts',
    says: /^Category 1 has a count of 9 animals with the status available, but contains 1\.$/,
    sql: 'UPDATE category_counts SET available = 9 WHERE category_id = 1',
  },
  'a count that is missing': {
    check: 'counts',
    says: /^Category 2 has a count of 0 animals with no status, but contains 1\.$/,
    sql: 'DELETE FROM category_counts WHERE category_id = 2',
  },
  'a total that is wrong': {
    check: 'counts',
    says: /^All categories together have a count of 7 animals with the status sold, but contain 1\.$/,
    sql: 'UPDATE pet_totals SET sold = 7',
  },
  'a day that counts too many': {
    check: 'days',
    says: /^On \d{4}-\d\d-\d\d, 1 more are counted as completed than there are events\.$/,
    sql: 'UPDATE day_counts SET completed = completed + 1',
  },
  'a day that is missing': {
    check: 'days',
    says: /^On \d{4}-\d\d-\d\d, \d+ fewer are counted as added than there are events\.$/,
    sql: 'DELETE FROM day_counts',
  },
  'a counter below the ids of animals': {
    check: 'counters',
    says: /^The counter of pets is at 3, below the id 5, which is in use\.$/,
    sql: {
      sqlite: "UPDATE sqlite_sequence SET seq = 3 WHERE name = 'pets'",
      postgres: "UPDATE counters SET last = 3 WHERE name = 'pets'",
    },
  },
  'a counter below what an earlier lineage reached': {
    check: 'counters',
    says: /^The counter of events is at \d+, below the id 99, which is in use\.$/,
    sql: 'UPDATE lineages SET events_before = 99',
  },
  'a counter below the ids of orders': {
    check: 'counters',
    says: /^The counter of orders is at 1, below the id 2, which is in use\.$/,
    sql: {
      sqlite: "UPDATE sqlite_sequence SET seq = 1 WHERE name = 'orders'",
      postgres: "UPDATE counters SET last = 1 WHERE name = 'orders'",
    },
  },
  'an event that is missing': {
    check: 'event ids',
    says: /^Event 3 is missing\.$/,
    sql: 'DELETE FROM events WHERE id = 3',
  },
  'the latest event missing': {
    check: 'event ids',
    says: /^The latest event should be 12, but the last stored one is 11\.$/,
    sql: 'DELETE FROM events WHERE id = 12',
  },
  'an event with invalid data': {
    check: 'event contents',
    says: /^The event 2 cannot be read: its data is not JSON\.$/,
    sql: `UPDATE events SET data = '{"id":2' WHERE id = 2`,
  },
  'an event with an invalid author': {
    check: 'event contents',
    says: /^The event 2 has an invalid author\.$/,
    sql: "UPDATE events SET author = '{}' WHERE id = 2",
  },
  'a name that the search index does not have': {
    check: 'search index',
    says: /^The animal 1 is missing from the search index\.$/,
    sql: { sqlite: 'DELETE FROM pet_words WHERE rowid = 1' },
  },
  'a word that the search index has though no name does': {
    check: 'search index',
    says: /^The (search index has an animal 9, which does not exist|words of the animal 1 are not those of its name)/,
    sql: {
      sqlite: "INSERT INTO pet_words (rowid, words) VALUES (9, 'rex')",
      postgres: "UPDATE pets SET words = 'rex max' WHERE id = 1",
    },
  },
  'two open orders for an animal': {
    check: 'open orders',
    says: /^The animal 2 has 2 open orders\.$/,
    sql: "DROP INDEX open_orders_by_pet; UPDATE orders SET pet_id = 2, status = 'placed'",
  },
  'an open order whose animal is available': {
    check: 'ordered animals',
    says: /^The order 1 is open, but its animal 2 has the status available\.$/,
    sql: `UPDATE pets SET status = 'available' WHERE id = 2`,
  },
  'an open order whose animal is gone': {
    check: 'ordered animals',
    says: /^The order 1 is open, but its animal 2 does not exist\.$/,
    sql: 'DELETE FROM pets WHERE id = 2',
  },
  'imported animals whose import is missing': {
    check: 'imports',
    says: /^The animals up to 2 belong to no import\.$/,
    sql: 'INSERT INTO import_parts (id, import_id, first_pet_id, events_before) VALUES (2, 9, 1, 0)',
  },
  'animals that belong to two parts of an import': {
    check: 'imports',
    says: /^The animals up to 3 begin with a wrong one, or belong to two parts\.$/,
    sql: `INSERT INTO imports (id, name, key_id, key_name, started_at, added, rejected, events_before)
        VALUES (9, 'a', 'b', 'c', 0, 2, 0, 0);
      INSERT INTO import_parts (id, import_id, first_pet_id, events_before) VALUES (2, 9, 1, 0), (3, 9, 2, 0)`,
  },
  'an animal that was changed without an event': {
    check: 'events of animals',
    says: /^Event 1 \(pet\.created\) says that the animal 1 is \{.*"name":"Rex".*\}, but it is \{.*"name":"Max".*\}\.$/,
    sql: "UPDATE pets SET name = 'Max' WHERE id = 1",
  },
  'an animal that was deleted without an event': {
    check: 'events of animals',
    says: /^Event 1 \(pet\.created\) is about the animal 1, which does not exist\.$/,
    sql: 'DELETE FROM pets WHERE id = 1',
  },
  'an animal that is there though it was deleted': {
    check: 'events of animals',
    says: /^Event 12 \(pet\.deleted\) says that the animal 5 was deleted, but it exists\.$/,
    sql: {
      sqlite: "INSERT INTO pets (id, name, category_id) VALUES (5, 'Zoe', 1)",
      postgres: "INSERT INTO pets (id, name, category_id, words) VALUES (5, 'Zoe', 1, 'zoe')",
    },
  },
  'an animal that was added without an event': {
    check: 'events of animals',
    says: /^The animal 6 was added without an event\.$/,
    sql: {
      sqlite: "INSERT INTO pets (id, name, category_id) VALUES (6, 'Zoe', 1)",
      postgres: "INSERT INTO pets (id, name, category_id, words) VALUES (6, 'Zoe', 1, 'zoe')",
    },
  },
  'an order that was closed without an event': {
    check: 'events of orders',
    says: /^Event 6 \(order\.placed\) says that the order 1 is \{.*"placed".*\}, but it is \{.*"cancelled".*\}\.$/,
    sql: "UPDATE orders SET status = 'cancelled' WHERE id = 1",
  },
  'an order that is gone': {
    check: 'events of orders',
    says: /^Event \d+ \(order\.completed\) is about the order 2, which does not exist\.$/,
    sql: 'DELETE FROM orders WHERE id = 2',
  },
  'an order that was placed without an event': {
    check: 'events of orders',
    says: /^The order 3 was placed without an event\.$/,
    sql: "INSERT INTO orders (id, pet_id, status, placed_at, updated_at) VALUES (3, 3, 'cancelled', 0, 0)",
  },

  // The schema.
  'the index missing that prevents double sales': {
    check: 'schema',
    says: /^The unique index open_orders_by_pet is missing; it should be: CREATE UNIQUE INDEX open_orders_by_pet .*\.$/,
    sql: 'DROP INDEX open_orders_by_pet',
  },
  'an index missing': {
    check: 'schema',
    says: /^The index events_by_pet is missing; /,
    sql: 'DROP INDEX events_by_pet',
  },
  'an index of other columns': {
    check: 'schema',
    says: /^The index orders_by_pet should be: CREATE INDEX .*; it is: CREATE INDEX orders_by_pet .*status.*\.$/,
    sql: 'DROP INDEX orders_by_pet; CREATE INDEX orders_by_pet ON orders (status)',
  },
  'an index that lost UNIQUE': {
    check: 'schema',
    says: /^The unique index open_orders_by_pet should be: CREATE UNIQUE INDEX .*; it is: CREATE INDEX /,
    sql: "DROP INDEX open_orders_by_pet; CREATE INDEX open_orders_by_pet ON orders (pet_id) WHERE status = 'placed'",
  },
  'a unique index that refuses what is allowed': {
    check: 'schema',
    says: /^The unique index one_name is not one of this version: CREATE UNIQUE INDEX one_name /,
    sql: 'CREATE UNIQUE INDEX one_name ON categories (name)',
  },
  'a constraint missing': {
    check: 'schema',
    says: /^The (constraint orders_status_check of the table orders is missing|table orders should be: .*CHECK)/,
    sql: {
      sqlite: schemaEdit('orders', "CHECK (status = 'placed' OR status = 'completed' OR status = 'cancelled')", ''),
      postgres: 'ALTER TABLE orders DROP CONSTRAINT orders_status_check',
    },
  },
  'a primary key missing': {
    check: 'schema',
    says: /^The (constraint categories_pkey of the table categories is missing|.*column id of the table categories)/,
    sql: { postgres: 'ALTER TABLE categories DROP CONSTRAINT categories_pkey' },
  },
  'a column missing': {
    check: 'schema',
    says: /^The (column note of the table orders is missing; it should be: text|table orders should be: .*note TEXT)/,
    sql: 'ALTER TABLE orders DROP COLUMN note',
  },
  'a column that is not of this version': {
    check: 'schema',
    says: /^The (column colour of the table categories is not|table categories should be: .*; it is: .*colour)/,
    sql: 'ALTER TABLE categories ADD COLUMN colour text',
  },
  'a column that lost NOT NULL': {
    check: 'schema',
    says: /^The (table|column name of the table) categories should be: .* NOT NULL/,
    sql: {
      sqlite: schemaEdit('categories', 'name     TEXT    NOT NULL', 'name     TEXT'),
      postgres: 'ALTER TABLE categories ALTER name DROP NOT NULL',
    },
  },
  'a column with another default': {
    check: 'schema',
    says: /^The column sold of the table pet_totals should be: bigint NOT NULL; it is: .* DEFAULT 7\.$/,
    sql: { postgres: 'ALTER TABLE pet_totals ALTER sold SET DEFAULT 7' },
  },
  'a column of another type': {
    check: 'schema',
    says: /^The column last_used_at of the table api_keys should be: bigint; it is: integer\.$/,
    sql: { postgres: 'ALTER TABLE api_keys ALTER last_used_at TYPE int4' },
  },
  'a table missing': {
    check: 'schema',
    says: /^The table idempotency_records is missing; /,
    sql: 'DROP TABLE idempotency_records',
  },
  'a trigger that is not of this version': {
    check: 'schema',
    says: /^The trigger spy of the table orders is not one of this version: CREATE TRIGGER spy /,
    sql: {
      sqlite: 'CREATE TRIGGER spy AFTER INSERT ON orders BEGIN DELETE FROM orders; END',
      postgres:
        'CREATE TRIGGER spy BEFORE UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
    },
  },
  'an index that is not valid': {
    check: 'schema',
    says: /^The index orders_by_pet should be: .*; it is: .*, INVALID\.$/,
    sql: { postgres: "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'orders_by_pet'::regclass" },
  },
  'a table that a crash empties': {
    check: 'schema',
    says: /^The table orders should be: ordinary; it is: ordinary, UNLOGGED: a crash of the server empties it\.$/,
    sql: { postgres: 'ALTER TABLE orders SET UNLOGGED' },
  },

  // The search index.
  'an animal without a row in the search index': {
    check: 'search index',
    says: /^The animal 1 is missing from the search index\.$/,
    sql: { sqlite: 'DELETE FROM pet_words_docsize WHERE id = 1' },
  },
  'a search index without pages': {
    check: 'search index',
    says: /^The check could not be completed: database disk image is malformed\.$/,
    sql: { sqlite: 'DELETE FROM pet_words_data WHERE id > 100' },
  },
  'a search index without its sums': {
    check: 'search index',
    says: /^The search index has a count of 0 animals, but there are 4\.$/,
    sql: { sqlite: 'DELETE FROM pet_words_data WHERE id = 1' },
  },
  'a search index without its settings': {
    check: 'search index',
    says: /^The check could not be completed: invalid fts5 file format/,
    sql: { sqlite: 'DELETE FROM pet_words_config' },
  },

  // Rows that cannot be read.
  'an event with an impossible time': {
    check: 'event contents',
    says: /^The event 2 cannot be read: 9000000000000000000 is not a time\.$/,
    sql: 'UPDATE events SET at = 9000000000000000000 WHERE id = 2',
  },
  'an event of an unknown type': {
    check: 'event contents',
    says: /^The event 2 cannot be read: it has the type "pet\.sung"\.$/,
    sql: "UPDATE events SET type = 'pet.sung' WHERE id = 2",
  },
  'an event with the data of another animal': {
    check: 'event contents',
    says: /^The data of the event 1 is about 2, but the event is about 1\.$/,
    sql: `UPDATE events SET data = '{"id":2,"name":"Mia","categoryId":1}' WHERE id = 1`,
  },
  'an event with an animal that no client can have sent': {
    check: 'event contents',
    says: /^The data of the event 1 is wrong: name is missing: /,
    sql: `UPDATE events SET data = '{"id":1,"categoryId":1}' WHERE id = 1`,
  },
  'an animal with an unknown status': {
    check: 'contents',
    says: /^The animal 1 cannot be read: it has the status "lost"\.$/,
    sql: {
      sqlite: `PRAGMA ignore_check_constraints = ON; UPDATE pets SET status = 'lost' WHERE id = 1`,
      postgres: "ALTER TABLE pets DROP CONSTRAINT pets_status_check; UPDATE pets SET status = 'lost' WHERE id = 1",
    },
  },
  'an animal without a name': {
    check: 'contents',
    says: /^The animal 1 cannot be read: it has no name\.$/,
    sql: "UPDATE pets SET name = '' WHERE id = 1",
  },
  'an animal whose name is white space': {
    check: 'contents',
    says: /^The animal 1 is wrong: name must be /,
    sql: "UPDATE pets SET name = '  ' WHERE id = 1",
  },
  'an order with an impossible time': {
    check: 'contents',
    says: /^The order 1 cannot be read: placed_at, -9000000000000000000, is not a time\.$/,
    sql: 'UPDATE orders SET placed_at = -9000000000000000000 WHERE id = 1',
  },
  'an order with an unknown status': {
    check: 'contents',
    says: /^The order 1 cannot be read: it has the status "lost"\.$/,
    sql: {
      sqlite: `PRAGMA ignore_check_constraints = ON; UPDATE orders SET status = 'lost' WHERE id = 1`,
      postgres:
        "ALTER TABLE orders DROP CONSTRAINT orders_status_check; UPDATE orders SET status = 'lost' WHERE id = 1",
    },
  },
  'a category without a name': {
    check: 'contents',
    says: /^The category 7 cannot be read: it has no name\.$/,
    sql: "UPDATE categories SET name = ''",
  },
  'a category with a name that is too long': {
    check: 'contents',
    says: /^The category 7 is wrong: name must be /,
    sql: `UPDATE categories SET name = '${'x'.repeat(1001)}'`,
  },
  'a category with the key of another name': {
    check: 'contents',
    says: /^The category 7 is not found by its name\.$/,
    sql: "UPDATE categories SET name_key = 'key'",
  },
  'a key with a hash that no key has': {
    check: 'contents',
    says: /^The API key key_1 has a hash that is not a SHA-256 in base64url\.$/,
    sql: "UPDATE api_keys SET hash = 'secret'",
  },
  'a key with an unknown permission': {
    check: 'contents',
    says: /^The API key key_1 cannot be read: it has the permission "all"\.$/,
    sql: {
      sqlite: "PRAGMA ignore_check_constraints = ON; UPDATE api_keys SET permission = 'all'",
      postgres:
        "ALTER TABLE api_keys DROP CONSTRAINT api_keys_permission_check; UPDATE api_keys SET permission = 'all'",
    },
  },
  'a key with an impossible time': {
    check: 'contents',
    says: /^The API key key_1 cannot be read: 9000000000000000000 is not a time\.$/,
    sql: 'UPDATE api_keys SET expires_at = 9000000000000000000',
  },
  'an idempotency record without a response': {
    check: 'contents',
    says: /^The idempotency record "a" of the key key_1 has a response that is not JSON\.$/,
    sql: `UPDATE idempotency_records SET response = '{"id":'`,
  },
  'a lineage with an invalid id': {
    check: 'contents',
    says: /^The lineage 1 is wrong: its id is \?, /,
    sql: "UPDATE lineages SET id = '?'",
  },

  // Rows that are missing.
  'a counter missing': {
    check: 'required rows',
    says: /^The counter of orders is missing\.$/,
    sql: { postgres: "DELETE FROM counters WHERE name = 'orders'" },
  },
  'the totals missing': {
    check: 'required rows',
    says: /^The totals of the animals have 0 rows instead of one\.$/,
    sql: 'DELETE FROM pet_totals',
  },
  'all lineages missing': {
    check: 'required rows',
    says: /^All lineages are missing\.$/,
    sql: 'DELETE FROM lineages',
  },
  'a lineage missing': {
    check: 'required rows',
    says: /^The lineage before number 3 is missing\.$/,
    sql: "INSERT INTO lineages (number, id, began_at, events_before) VALUES (3, 'abcdefgh', 1, 0)",
  },
  'the environment missing': {
    check: 'required rows',
    says: /^The environment of the database is missing\.$/,
    sql: 'DELETE FROM properties',
  },
}

/** Edits the stored definition of a table of SQLite. */
function schemaEdit(table: string, text: string, replacement: string): string {
  const [from, to] = [text, replacement].map((each) => each.replaceAll("'", "''"))
  return `PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '${from}', '${to}') WHERE name = '${table}'`
}
