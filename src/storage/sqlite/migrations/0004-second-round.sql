-- What is known of the database as a whole. `environment` is the one that it was first started with.
CREATE TABLE properties (
  name  TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Counts are kept by the writer, once per transaction, and no longer by a trigger for every row. The table has a new name:
-- a process of an older version, which relies on the triggers, fails when it writes instead of miscounting. `pets` is a
-- view that anyone can read; whoever writes names the table, and keeps the counts (counts.ts).
DROP TRIGGER pets_count_added;
DROP TRIGGER pets_count_removed;
DROP TRIGGER pets_count_changed;
ALTER TABLE pets RENAME TO pet_rows;
CREATE VIEW pets AS SELECT id, name, category_id, status FROM pet_rows;

-- One index by category, not two: an import writes most pages of each such index in every batch. A list of a category
-- merges those of its statuses (pets.ts), so pets without a status are in the index too.
DROP INDEX pets_by_category;
DROP INDEX pets_by_category_and_status;
CREATE INDEX pets_by_category_and_status ON pet_rows (category_id, status);

-- How many pets each category has by status; `none` is without a status. One row, so that a count is one look-up.
-- WITHOUT ROWID for the reason that `categories` has.
CREATE TABLE category_counts (
  category_id INTEGER PRIMARY KEY,
  available   INTEGER NOT NULL,
  pending     INTEGER NOT NULL,
  sold        INTEGER NOT NULL,
  none        INTEGER NOT NULL,
  total       INTEGER NOT NULL AS (available + pending + sold + none)
) STRICT, WITHOUT ROWID;

INSERT INTO category_counts
  SELECT category_id, ifnull(sum(animals) FILTER (WHERE status = 'available'), 0),
    ifnull(sum(animals) FILTER (WHERE status = 'pending'), 0), ifnull(sum(animals) FILTER (WHERE status = 'sold'), 0),
    ifnull(sum(animals) FILTER (WHERE status = ''), 0)
  FROM pet_counts GROUP BY category_id;
DROP TABLE pet_counts;
-- Finds the largest categories.
CREATE INDEX category_counts_by_total ON category_counts (total DESC);

-- The sums of category_counts, in one row.
CREATE TABLE pet_totals (
  available INTEGER NOT NULL,
  pending   INTEGER NOT NULL,
  sold      INTEGER NOT NULL,
  none      INTEGER NOT NULL
) STRICT;

INSERT INTO pet_totals
  SELECT ifnull(sum(available), 0), ifnull(sum(pending), 0), ifnull(sum(sold), 0), ifnull(sum(none), 0) FROM category_counts;

-- Ids are given again once a database has lost its end, as by a backup that was restored. So a position in a list names a
-- history beside the id. A history begins when a writer starts, before it gives an id, and ends where the next begins.
CREATE TABLE histories (
  number        INTEGER PRIMARY KEY,
  id            TEXT    NOT NULL UNIQUE,
  began_at      INTEGER NOT NULL,
  -- The highest ids that were given before.
  pets_before   INTEGER NOT NULL,
  orders_before INTEGER NOT NULL,
  events_before INTEGER NOT NULL
) STRICT;

-- Who an order is for, and what there is to know about it. NULL: nothing was told.
ALTER TABLE orders ADD COLUMN customer TEXT;
ALTER TABLE orders ADD COLUMN note TEXT;
