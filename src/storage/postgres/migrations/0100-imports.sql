INSERT INTO counters VALUES ('imports', 0), ('import_requests', 0);

-- Imports, each of one request or several. Ids ascend with `events_before`: the oldest imports are the first whose events
-- are not kept any more.
CREATE TABLE imports (
  id              int8 PRIMARY KEY,
  name            text COLLATE "C" NOT NULL,
  key_id          text COLLATE "C" NOT NULL,
  key_name        text NOT NULL,
  started_at      int8 NOT NULL,
  added           int8 NOT NULL,
  rejected        int8 NOT NULL,
  -- The highest event id that was given before.
  events_before   int8 NOT NULL,
  -- A request has more rows to add, unless it has ended without notice.
  runs_until      int8,
  undo_started_at int8,
  undone_at       int8
);
CREATE UNIQUE INDEX imports_by_name ON imports (name);

-- The animals of an import: those that one transaction has added have ids without gaps. The id is that of the last one.
CREATE TABLE import_parts (
  id            int8 PRIMARY KEY,
  import_id     int8 NOT NULL,
  first_pet_id  int8 NOT NULL,
  events_before int8 NOT NULL
);
CREATE INDEX import_parts_by_import ON import_parts (import_id, id);

-- The requests of imports that have ended, each with a digest of all its animals, to know a file that comes again.
CREATE TABLE import_requests (
  id            int8 PRIMARY KEY,
  import_id     int8 NOT NULL,
  digest        text COLLATE "C" NOT NULL,
  events_before int8 NOT NULL
);
CREATE INDEX import_requests_by_digest ON import_requests (digest, id);
