-- Imports, each of one request or several. AUTOINCREMENT for the reason that `pets` has. Ids ascend with
-- `events_before`: the oldest imports are the first whose events are not kept any more.
CREATE TABLE imports (
  id              INTEGER PRIMARY KEY AUTOINCREMENT,
  name            TEXT    NOT NULL,
  key_id          TEXT    NOT NULL,
  key_name        TEXT    NOT NULL,
  started_at      INTEGER NOT NULL,
  added           INTEGER NOT NULL,
  rejected        INTEGER NOT NULL,
  events_before   INTEGER NOT NULL, -- The highest event id that was given before.
  runs_until      INTEGER, -- A request has more rows to add, unless it has ended without notice.
  undo_started_at INTEGER,
  undone_at       INTEGER
) STRICT;
CREATE UNIQUE INDEX imports_by_name ON imports (name);

-- The animals of an import: those that one transaction has added have ids without gaps. The id is that of the last one.
CREATE TABLE import_parts (
  id            INTEGER PRIMARY KEY,
  import_id     INTEGER NOT NULL,
  first_pet_id  INTEGER NOT NULL,
  events_before INTEGER NOT NULL
) STRICT;
CREATE INDEX import_parts_by_import ON import_parts (import_id);

-- The requests of imports that have ended, each with a digest of all its animals, to know a file that comes again.
CREATE TABLE import_requests (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  import_id     INTEGER NOT NULL,
  digest        TEXT    NOT NULL,
  events_before INTEGER NOT NULL
) STRICT;
CREATE INDEX import_requests_by_digest ON import_requests (digest);
