-- How far the latest import of each file has come. A source is a digest of the file's content.
CREATE TABLE imports (
  source    TEXT    PRIMARY KEY,
  rows_done INTEGER NOT NULL,
  finished  INTEGER NOT NULL CHECK (finished IN (0, 1))
) STRICT, WITHOUT ROWID;
