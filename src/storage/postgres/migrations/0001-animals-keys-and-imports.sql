-- Text that is compared has the collation "C": an index in the order of a language breaks, silently, when the system's
-- idea of that order changes with an update, and then finds an API key twice or not at all.

-- Ids come from a row, not from a sequence: whoever writes holds the row until the commit. So ids have no gaps, are in
-- the order of the commits, and a page that was read is complete for ever.
CREATE TABLE counters (
  name text COLLATE "C" PRIMARY KEY,
  last int8 NOT NULL
);
INSERT INTO counters VALUES ('pets', 0);

CREATE TABLE pets (
  id          int8 PRIMARY KEY,
  name        text NOT NULL,
  category_id int8 NOT NULL,
  status      text COLLATE "C" CHECK (status IN ('available', 'pending', 'sold'))
);

-- Each serves one combination of filters in the order of the pages.
CREATE INDEX pets_by_status              ON pets (status, id) WHERE status IS NOT NULL;
CREATE INDEX pets_by_category            ON pets (category_id, id);
CREATE INDEX pets_by_category_and_status ON pets (category_id, status, id) WHERE status IS NOT NULL;

-- Counting ten million animals takes long; adding up a few counters does not. '' stands for no status. Kept by the
-- statements that add animals, not by triggers: one row per category and group of writes, not one per animal.
CREATE TABLE pet_counts (
  category_id int8 NOT NULL,
  status      text COLLATE "C" NOT NULL,
  animals     int8 NOT NULL,
  PRIMARY KEY (category_id, status)
);

-- Times are milliseconds since 1970. `place` is the order in which the keys were stored.
CREATE TABLE api_keys (
  id           text COLLATE "C" PRIMARY KEY,
  name         text NOT NULL,
  permission   text COLLATE "C" NOT NULL CHECK (permission IN ('read', 'write')),
  hash         text COLLATE "C" NOT NULL UNIQUE,
  created_at   int8 NOT NULL,
  expires_at   int8,
  revoked_at   int8,
  last_used_at int8,
  place        int8 NOT NULL GENERATED ALWAYS AS IDENTITY
);

-- What a client called an attempt to write, what it asked, and the answer it got.
CREATE TABLE attempts (
  key_id      text COLLATE "C" NOT NULL,
  name        text COLLATE "C" NOT NULL,
  fingerprint text COLLATE "C" NOT NULL,
  answer      text NOT NULL,
  made_at     int8 NOT NULL,
  PRIMARY KEY (key_id, name)
);

CREATE INDEX attempts_by_age ON attempts (made_at);

-- How far the latest import of each file has come. A source is a digest of the file's content.
CREATE TABLE imports (
  source    text COLLATE "C" PRIMARY KEY,
  rows_done int8 NOT NULL,
  finished  boolean NOT NULL
);
