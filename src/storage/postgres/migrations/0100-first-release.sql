-- Times are milliseconds since 1970. Text that is compared has the collation "C": an index in the order of a language
-- breaks silently when an update of the system changes that order, and then finds an API key twice or not at all.

-- What is known of the database as a whole. `environment` is the one that it was first started with.
CREATE TABLE properties (
  name  text COLLATE "C" PRIMARY KEY,
  value text NOT NULL
);

-- Ids come from a row, not from a sequence: whoever writes holds the row until the commit. So ids have no gaps, are in
-- the order of the commits, and a page that was read is complete for ever.
CREATE TABLE counters (
  name text COLLATE "C" PRIMARY KEY,
  last int8 NOT NULL
);
INSERT INTO counters VALUES ('pets', 0), ('orders', 0), ('webhooks', 0), ('invitations', 0), ('events', 0);

-- Every writer keeps the words and the counts, too (name-index.ts, counts.ts).
CREATE TABLE pets (
  id          int8 PRIMARY KEY,
  name        text NOT NULL,
  category_id int8 NOT NULL,
  status      text COLLATE "C" CHECK (status IN ('available', 'pending', 'sold')),
  -- The words of the name (indexedWords), for search and for a list by name.
  words       text COLLATE "C" NOT NULL
);

-- Each serves one combination of filters in the order of the pages. Every id is above 0: the condition keeps the planner
-- from pets_without_status for a list of one category, which it would have to sort.
CREATE INDEX pets_by_status                  ON pets (status, id)              WHERE status IS NOT NULL;
CREATE INDEX pets_without_status             ON pets (id)                      WHERE status IS NULL AND id > 0;
CREATE INDEX pets_by_category                ON pets (category_id, id);
CREATE INDEX pets_by_category_and_status     ON pets (category_id, status, id) WHERE status IS NOT NULL;
CREATE INDEX pets_by_category_without_status ON pets (category_id, id)         WHERE status IS NULL;
-- For searches: in the order of names (nameKey), and by words. A search reads all pending entries: few, so it stays fast.
CREATE INDEX pets_by_name  ON pets (left(words, 64), id);
CREATE INDEX pets_by_words ON pets USING gin ((words::tsvector)) WITH (gin_pending_list_limit = 256);

-- How many pets each category has by status; `none` is without a status. Counting ten million animals takes long; one
-- look-up does not. Kept by the statements that write animals: one row per category and group of writes.
CREATE TABLE category_counts (
  category_id int8 PRIMARY KEY,
  available   int8 NOT NULL,
  pending     int8 NOT NULL,
  sold        int8 NOT NULL,
  none        int8 NOT NULL,
  total       int8 NOT NULL GENERATED ALWAYS AS (available + pending + sold + none) STORED
);
-- The largest categories first. Both columns ascend, so that a page is one range of the index.
CREATE INDEX category_counts_by_total ON category_counts ((-total), category_id);

-- The sums of category_counts, in one row.
CREATE TABLE pet_totals (
  id        int4 PRIMARY KEY CHECK (id = 1),
  available int8 NOT NULL, pending int8 NOT NULL, sold int8 NOT NULL, none int8 NOT NULL
);
INSERT INTO pet_totals VALUES (1, 0, 0, 0, 0);

-- What happened on each day (days since 1970, in UTC), by the times of the events. Events are deleted, these rows are not.
CREATE TABLE day_counts (
  day     int8 PRIMARY KEY,
  added   int8 NOT NULL, removed   int8 NOT NULL,
  ordered int8 NOT NULL, completed int8 NOT NULL, cancelled int8 NOT NULL
);

CREATE TABLE categories (
  id       int8 PRIMARY KEY,
  name     text NOT NULL,
  -- Finds a category by its name, exactly or without case and accents (nameKeyOf).
  name_key text COLLATE "C" NOT NULL
);
CREATE INDEX categories_by_name ON categories (name_key, id);

CREATE TABLE orders (
  id         int8 PRIMARY KEY,
  -- No foreign key: an order stays after its animal is deleted.
  pet_id     int8 NOT NULL,
  status     text COLLATE "C" NOT NULL CHECK (status IN ('placed', 'completed', 'cancelled')),
  placed_at  int8 NOT NULL,
  updated_at int8 NOT NULL,
  -- Who the order is for, and what there is to know about it.
  customer   text,
  note       text
);

-- No animal is ever sold twice: the table itself refuses a second open order.
CREATE UNIQUE INDEX open_orders_by_pet ON orders (pet_id) WHERE status = 'placed';
-- As with animals, each of these serves one combination of filters in the order of the pages.
CREATE INDEX orders_by_status         ON orders (status, id);
CREATE INDEX orders_by_pet            ON orders (pet_id, id);
CREATE INDEX orders_by_pet_and_status ON orders (pet_id, status, id);

-- Their ids come from a counter, as those of animals do: in the order of the commits, without gaps.
CREATE TABLE events (
  id      int8 PRIMARY KEY,
  type    text COLLATE "C" NOT NULL,
  subject int8 NOT NULL,
  at      int8 NOT NULL,
  data    text NOT NULL,
  -- Who made the change, as JSON: {"keyid", "keyname", "requestid"}.
  author  text
);
-- The events of one animal, with those of its orders, and of one order. A created animal is an entry at the end of the
-- first index; the second has events of orders only.
CREATE INDEX events_by_pet ON events
  ((CASE WHEN type LIKE 'order.%' THEN (data::json ->> 'petId')::int8 ELSE subject END), id);
CREATE INDEX events_by_order ON events (subject, id) WHERE type LIKE 'order.%';

-- Ids are given again once a database has lost its end: by a failover to a server that had less, or by a backup that was
-- restored. So an event position names a lineage beside the id. A lineage begins when a writer starts, and when it
-- finds another server than the newest one began on, before the first id is given there. It ends where the next begins.
CREATE TABLE lineages (
  number        int8 PRIMARY KEY,
  id            text COLLATE "C" NOT NULL UNIQUE,
  -- Timeline and start of the server. NULL where they are not known.
  server        text COLLATE "C",
  began_at      int8 NOT NULL,
  events_before int8 NOT NULL -- The highest event id that was given before.
);
CREATE INDEX lineages_by_events ON lineages (events_before, number); -- Finds the lineage of an event.

-- `number` is the order in which the keys were stored.
CREATE TABLE api_keys (
  id           text COLLATE "C" PRIMARY KEY,
  name         text NOT NULL,
  permission   text COLLATE "C" NOT NULL CHECK (permission IN ('read', 'write', 'admin')),
  hash         text COLLATE "C" NOT NULL UNIQUE,
  created_at   int8 NOT NULL,
  expires_at   int8,
  revoked_at   int8,
  last_used_at int8,
  -- The key that the last rotation made in its place.
  replaced_by  text COLLATE "C",
  number       int8 NOT NULL GENERATED ALWAYS AS IDENTITY
);

-- Invitations to get a key.
CREATE TABLE invitations (
  id         int8 PRIMARY KEY,
  name       text NOT NULL,
  permission text COLLATE "C" NOT NULL CHECK (permission IN ('read', 'write', 'admin')),
  -- The SHA-256 of the token, which is not stored.
  hash       text COLLATE "C" NOT NULL,
  -- The id of the key that made it. NULL: the command line.
  invited_by text COLLATE "C",
  created_at int8 NOT NULL,
  expires_at int8 NOT NULL
);
CREATE INDEX invitations_by_hash   ON invitations (hash, id);
CREATE INDEX invitations_by_expiry ON invitations (expires_at);

-- The addresses that events are sent to.
CREATE TABLE webhooks (
  id              int8 PRIMARY KEY,
  url             text NOT NULL,
  -- The names of the types of events that are sent, separated by spaces. NULL: all.
  types           text COLLATE "C",
  description     text,
  format          text COLLATE "C" NOT NULL CHECK (format IN ('json', 'cloudevents')),
  created_at      int8 NOT NULL,
  -- NULL while it is enabled.
  disabled_at     int8,
  disabled_reason text COLLATE "C",
  -- In clear: a signature cannot be made from a hash. The previous one signs, too, until it expires.
  secret          text COLLATE "C" NOT NULL,
  previous_secret text COLLATE "C",
  previous_secret_expires_at int8,
  -- Events up to this id happened before it was made or enabled again.
  starts_after    int8 NOT NULL,
  -- When it was made, was enabled again, or got another address.
  active_since    int8 NOT NULL
);

-- Who delivers events to webhooks: one row. Every holder has a higher generation than the one before, and each move of a
-- position names it, so that one who comes too late moves nothing.
CREATE TABLE delivery_lease (
  id int4 PRIMARY KEY CHECK (id = 1), holder text COLLATE "C", generation int8 NOT NULL, expires_at int8 NOT NULL
);
INSERT INTO delivery_lease VALUES (1, NULL, 0, 0);

-- How far the deliveries to a webhook are. No foreign key: a webhook may be removed while an event is sent to it.
CREATE TABLE delivery_positions (
  webhook_id      int8 PRIMARY KEY,
  -- All events up to this one are delivered, or are not for this webhook.
  event_id        int8 NOT NULL,
  -- Failed tries of the next event, when the first of them began, and when the next one is due.
  attempts        int8 NOT NULL,
  failing_since   int8,
  next_attempt_at int8
);

-- The latest tries to deliver.
CREATE TABLE delivery_tries (
  id              int8 PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  webhook_id      int8 NOT NULL,
  -- NULL for a test, which is no event.
  event_id        int8,
  type            text COLLATE "C" NOT NULL,
  at              int8 NOT NULL,
  attempt         int8 NOT NULL,
  status          int8,
  duration_ms     int8 NOT NULL,
  error           text,
  response_start  text,
  next_attempt_at int8
);
CREATE INDEX delivery_tries_by_webhook ON delivery_tries (webhook_id, id);
CREATE INDEX delivery_tries_by_age     ON delivery_tries (at);

-- The Idempotency-Key of a write (`name`, of the API key `key_id`), a digest of the request, and the response to it. Of an
-- import: how far it is. On the command line its name is a digest of the file.
CREATE TABLE idempotency_records (
  key_id      text COLLATE "C" NOT NULL,
  name        text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  response    text NOT NULL,
  created_at  int8 NOT NULL,
  PRIMARY KEY (key_id, name)
);
CREATE INDEX idempotency_records_by_age ON idempotency_records (created_at);
