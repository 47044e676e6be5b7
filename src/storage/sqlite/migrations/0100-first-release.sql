-- Times are milliseconds since 1970. Values of a CHECK are compared one by one: for `IN` SQLite would build a temporary
-- table with each row that it stores.

-- What is known of the database as a whole. `environment` is the one that it was first started with.
CREATE TABLE properties (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- AUTOINCREMENT: an id is never given twice, not even after the animal with the highest one is deleted.
-- Every writer keeps the counts and the index of the words, too (counts.ts, name-index.ts). `name` is the last column:
-- SQLite reads through a large text to find those behind it.
CREATE TABLE pets (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  category_id INTEGER NOT NULL,
  status      TEXT    CHECK (status = 'available' OR status = 'pending' OR status = 'sold'),
  name        TEXT    NOT NULL
) STRICT;

-- An index of SQLite ends in the id, so each of these serves one combination of filters in the order of the pages.
-- One index by category, not two: an import writes most pages of each such index in every batch. A list of a category
-- merges those of its statuses (reads/lists.ts). Only another program can write an unknown status; then the lists
-- report it, whatever their filter.
CREATE INDEX pets_by_status              ON pets (status) WHERE status IS NOT NULL;
CREATE INDEX pets_without_status         ON pets (status) WHERE status IS NULL;
CREATE INDEX pets_by_category_and_status ON pets (category_id, status);
CREATE INDEX pets_of_unknown_status      ON pets (category_id)
  WHERE status <> 'available' AND status <> 'pending' AND status <> 'sold';

-- The words of the names of pets, for search (name-index.ts). Contentless: the names are in pets. `detail = none`: which
-- pets have a word, not where. One word of each begins with `!` and stands for the order of names: new entries are sorted
-- in runs, so it costs a create far less than an index of its own. The words are folded already, and have letters, digits
-- and `!` only, so the tokenizer has nothing to do but to part them at spaces.
CREATE VIRTUAL TABLE pet_words USING fts5 (
  words, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '!'"
);
-- What the index has, for searches in the order of names, and for a check.
CREATE VIRTUAL TABLE pet_word_list USING fts5vocab (pet_words, instance);

-- How many pets each category has by status; `none` is without a status. Counting ten million animals takes long; one
-- look-up does not. The writer updates the row once per transaction. WITHOUT ROWID for the reason that `categories` has.
CREATE TABLE category_counts (
  category_id INTEGER PRIMARY KEY,
  available   INTEGER NOT NULL,
  pending     INTEGER NOT NULL,
  sold        INTEGER NOT NULL,
  none        INTEGER NOT NULL,
  total       INTEGER NOT NULL AS (available + pending + sold + none)
) STRICT, WITHOUT ROWID;
-- Finds the largest categories.
CREATE INDEX category_counts_by_total ON category_counts (total DESC);

-- One row, so that every transaction writes one page for all of it: the sums of category_counts, and the number of
-- transactions: those of deliveries alone (the tables delivery_…), and all others. With these a reader knows whether what
-- it has cached is still true (reads/version.ts).
CREATE TABLE pet_totals (
  available INTEGER NOT NULL, pending INTEGER NOT NULL, sold INTEGER NOT NULL, none INTEGER NOT NULL,
  changes INTEGER NOT NULL, bookkeeping INTEGER NOT NULL
) STRICT;
INSERT INTO pet_totals VALUES (0, 0, 0, 0, 0, 0);

-- What happened on each day (days since 1970, in UTC), by the times of the events. Events are deleted, these rows are not.
CREATE TABLE day_counts (
  day     INTEGER PRIMARY KEY,
  added   INTEGER NOT NULL, removed   INTEGER NOT NULL,
  ordered INTEGER NOT NULL, completed INTEGER NOT NULL, cancelled INTEGER NOT NULL
) STRICT;

-- The id may be any int64. WITHOUT ROWID, so that it is not what the connection reports as its last id with every
-- statement from then on: node:sqlite throws when that is not exact as a number.
CREATE TABLE categories (
  id       INTEGER PRIMARY KEY,
  name     TEXT    NOT NULL,
  -- Finds a category by its name, exactly or without case and accents (nameKeyOf).
  name_key TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX categories_by_name ON categories (name_key);

CREATE TABLE orders (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  -- No foreign key: an order stays after its animal is deleted.
  pet_id     INTEGER NOT NULL,
  status     TEXT    NOT NULL CHECK (status = 'placed' OR status = 'completed' OR status = 'cancelled'),
  placed_at  INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  -- Who the order is for, and what there is to know about it.
  customer   TEXT,
  note       TEXT
) STRICT;

-- No animal is ever sold twice: the table itself refuses a second open order.
CREATE UNIQUE INDEX open_orders_by_pet ON orders (pet_id) WHERE status = 'placed';
-- As with animals, each of these serves one combination of filters in the order of the pages.
CREATE INDEX orders_by_status         ON orders (status);
CREATE INDEX orders_by_pet            ON orders (pet_id);
CREATE INDEX orders_by_pet_and_status ON orders (pet_id, status);

-- One writer at a time, and a rollback gives its ids back: they ascend with the commits and have no gaps.
-- AUTOINCREMENT: the latest id is known when the event is not kept any more. `data` is last, as a pet's name is.
CREATE TABLE events (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  type    TEXT    NOT NULL,
  subject INTEGER NOT NULL,
  at      INTEGER NOT NULL,
  author  TEXT, -- Who made the change, as JSON: {"keyid", "keyname", "requestid"}.
  data    TEXT    NOT NULL,
  pet_id  INTEGER AS (iif(type GLOB 'order.*', data ->> 'petId', subject))
) STRICT;
-- The events of one animal, with those of its orders, and of one order. A created animal is an entry at the end of the
-- first index; the second has events of orders only.
CREATE INDEX events_by_pet   ON events (pet_id);
CREATE INDEX events_by_order ON events (subject) WHERE type GLOB 'order.*';

-- Ids are given again once a database has lost its end, as by a backup that was restored. So an event position names a
-- lineage beside the id. A lineage begins when a writer starts, before it gives an id, and ends where the next begins.
CREATE TABLE lineages (
  number        INTEGER PRIMARY KEY,
  id            TEXT    NOT NULL UNIQUE,
  began_at      INTEGER NOT NULL,
  events_before INTEGER NOT NULL -- The highest event id that was given before.
) STRICT;
CREATE INDEX lineages_by_events ON lineages (events_before); -- Finds the lineage of an event.

CREATE TABLE api_keys (
  id           TEXT    PRIMARY KEY,
  name         TEXT    NOT NULL,
  permission   TEXT    NOT NULL CHECK (permission = 'read' OR permission = 'write' OR permission = 'admin'),
  hash         TEXT    NOT NULL UNIQUE,
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER,
  revoked_at   INTEGER,
  last_used_at INTEGER,
  replaced_by  TEXT -- The key that the last rotation made in its place.
) STRICT;

-- Invitations to get a key. AUTOINCREMENT for the reason that `pets` has.
CREATE TABLE invitations (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  name       TEXT    NOT NULL,
  permission TEXT    NOT NULL CHECK (permission = 'read' OR permission = 'write' OR permission = 'admin'),
  -- The SHA-256 of the token, which is not stored.
  hash       TEXT    NOT NULL,
  -- The id of the key that made it. NULL: the command line.
  invited_by TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX invitations_by_hash   ON invitations (hash);
CREATE INDEX invitations_by_expiry ON invitations (expires_at);

-- The addresses that events are sent to. AUTOINCREMENT for the reason that `pets` has.
CREATE TABLE webhooks (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  url             TEXT    NOT NULL,
  -- The names of the types of events that are sent, separated by spaces. NULL: all.
  types           TEXT,
  description     TEXT,
  format          TEXT    NOT NULL CHECK (format = 'json' OR format = 'cloudevents'),
  created_at      INTEGER NOT NULL,
  disabled_at     INTEGER, -- NULL while it is enabled.
  disabled_reason TEXT,
  -- In clear: a signature cannot be made from a hash. The previous one signs, too, until it expires.
  secret          TEXT    NOT NULL,
  previous_secret TEXT,
  previous_secret_expires_at INTEGER,
  -- Events up to this id happened before it was made or enabled again.
  starts_after    INTEGER NOT NULL,
  -- When it was made, was enabled again, or got another address.
  active_since    INTEGER NOT NULL
) STRICT;

-- Who delivers events to webhooks: one row. Every holder has a higher generation than the one before, and each move of a
-- position names it, so that one who comes too late moves nothing.
CREATE TABLE delivery_lease (holder TEXT, generation INTEGER NOT NULL, expires_at INTEGER NOT NULL) STRICT;
INSERT INTO delivery_lease VALUES (NULL, 0, 0);

-- How far the deliveries to a webhook are. No foreign key: a webhook may be removed while an event is sent to it.
CREATE TABLE delivery_positions (
  webhook_id      INTEGER PRIMARY KEY,
  -- All events up to this one are delivered, or are not for this webhook.
  event_id        INTEGER NOT NULL,
  -- Failed tries of the next event, when the first of them began, and when the next one is due.
  attempts        INTEGER NOT NULL,
  failing_since   INTEGER,
  next_attempt_at INTEGER
) STRICT;

-- The latest tries to deliver.
CREATE TABLE delivery_tries (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  webhook_id      INTEGER NOT NULL,
  -- NULL for a test, which is no event.
  event_id        INTEGER,
  type            TEXT    NOT NULL,
  at              INTEGER NOT NULL,
  attempt         INTEGER NOT NULL,
  status          INTEGER,
  duration_ms     INTEGER NOT NULL,
  error           TEXT,
  response_start  TEXT,
  next_attempt_at INTEGER
) STRICT;
CREATE INDEX delivery_tries_by_webhook ON delivery_tries (webhook_id);
CREATE INDEX delivery_tries_by_age     ON delivery_tries (at);

-- The Idempotency-Key of a write (`name`, of the API key `key_id`), a digest of the request, and the response to it. Of an
-- import: how far it is. On the command line its name is a digest of the file.
CREATE TABLE idempotency_records (
  key_id      TEXT    NOT NULL,
  name        TEXT    NOT NULL,
  fingerprint TEXT    NOT NULL,
  response    TEXT    NOT NULL,
  created_at  INTEGER NOT NULL,
  PRIMARY KEY (key_id, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_records_by_age ON idempotency_records (created_at);
