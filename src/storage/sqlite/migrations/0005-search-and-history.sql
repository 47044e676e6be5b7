-- Who made the change of an event, as JSON: {"keyid", "keyname", "requestid"}. NULL: unknown, as for the events of
-- the version before.
ALTER TABLE events ADD COLUMN author TEXT;

-- A key may administer keys. SQLite cannot change a CHECK, so the table is made anew, with its rows in the same order.
CREATE TABLE new_api_keys (
  id           TEXT    PRIMARY KEY,
  name         TEXT    NOT NULL,
  permission   TEXT    NOT NULL CHECK (permission IN ('read', 'write', 'admin')),
  hash         TEXT    NOT NULL UNIQUE,
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER,
  revoked_at   INTEGER,
  last_used_at INTEGER
) STRICT;
INSERT INTO new_api_keys SELECT * FROM api_keys ORDER BY rowid;
DROP TABLE api_keys;
ALTER TABLE new_api_keys RENAME TO api_keys;

-- The history of one animal, with its orders, and of one order. The animal is computed, so earlier events have it too.
-- A created animal is an entry at the end of one index; the other has events of orders only.
ALTER TABLE events ADD COLUMN pet_id INTEGER AS (iif(type GLOB 'order.*', data ->> 'petId', subject));
CREATE INDEX events_by_pet   ON events (pet_id);
CREATE INDEX events_by_order ON events (subject) WHERE type GLOB 'order.*';

-- The animals without a status. The index by status leaves them out; the one by category and status has them.
CREATE INDEX pets_without_status ON pet_rows (status) WHERE status IS NULL;

-- The words of the names of pets, for search. `name_words` is indexedWords (database.ts). Contentless: the names are in
-- pet_rows. `detail = none`: which pets have a word, not where. The words are folded already, and have letters and digits
-- only, so the tokenizer has nothing to do but to part them at spaces.
CREATE VIRTUAL TABLE pet_words USING fts5 (
  words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
);
INSERT INTO pet_words (rowid, words) SELECT id, name_words(name) FROM pet_rows ORDER BY id;
-- What the index has, for a check.
CREATE VIRTUAL TABLE pet_word_list USING fts5vocab (pet_words, instance);
