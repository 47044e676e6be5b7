-- What is known of the database as a whole. `environment` is the one that it was first started with.
CREATE TABLE properties (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
