-- AUTOINCREMENT: an id is never given twice, not even after the animal with the highest one is deleted.
CREATE TABLE pets (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  name        TEXT    NOT NULL,
  category_id INTEGER NOT NULL,
  status      TEXT    CHECK (status IN ('available', 'pending', 'sold'))
) STRICT;

-- An index of SQLite ends in the id, so each of these serves one combination of filters in the order of the pages.
CREATE INDEX pets_by_status              ON pets (status) WHERE status IS NOT NULL;
CREATE INDEX pets_by_category            ON pets (category_id);
CREATE INDEX pets_by_category_and_status ON pets (category_id, status) WHERE status IS NOT NULL;

-- Counting ten million animals takes long; adding up a few counters does not. '' stands for no status.
CREATE TABLE pet_counts (
  category_id INTEGER NOT NULL,
  status      TEXT    NOT NULL,
  animals     INTEGER NOT NULL,
  PRIMARY KEY (category_id, status)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER pets_count_added AFTER INSERT ON pets BEGIN
  INSERT INTO pet_counts VALUES (NEW.category_id, ifnull(NEW.status, ''), 1)
    ON CONFLICT DO UPDATE SET animals = animals + 1;
END;

CREATE TRIGGER pets_count_removed AFTER DELETE ON pets BEGIN
  UPDATE pet_counts SET animals = animals - 1
    WHERE category_id = OLD.category_id AND status = ifnull(OLD.status, '');
END;

CREATE TRIGGER pets_count_changed AFTER UPDATE OF category_id, status ON pets BEGIN
  UPDATE pet_counts SET animals = animals - 1
    WHERE category_id = OLD.category_id AND status = ifnull(OLD.status, '');
  INSERT INTO pet_counts VALUES (NEW.category_id, ifnull(NEW.status, ''), 1)
    ON CONFLICT DO UPDATE SET animals = animals + 1;
END;

-- Times are milliseconds since 1970.
CREATE TABLE api_keys (
  id           TEXT    PRIMARY KEY,
  name         TEXT    NOT NULL,
  permission   TEXT    NOT NULL CHECK (permission IN ('read', 'write')),
  hash         TEXT    NOT NULL UNIQUE,
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER,
  revoked_at   INTEGER,
  last_used_at INTEGER
) STRICT;

-- What a client called an attempt to write, what it asked, and the answer it got.
CREATE TABLE attempts (
  key_id      TEXT    NOT NULL,
  name        TEXT    NOT NULL,
  fingerprint TEXT    NOT NULL,
  answer      TEXT    NOT NULL,
  made_at     INTEGER NOT NULL,
  PRIMARY KEY (key_id, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX attempts_by_age ON attempts (made_at);
