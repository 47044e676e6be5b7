-- Times are milliseconds since 1970.
CREATE TABLE orders (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  -- No foreign key: what was ordered once stays told after the animal is gone.
  pet_id     INTEGER NOT NULL,
  status     TEXT    NOT NULL CHECK (status IN ('placed', 'completed', 'cancelled')),
  placed_at  INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

-- No animal is ever sold twice: the table itself refuses a second open order.
CREATE UNIQUE INDEX open_orders_by_pet ON orders (pet_id) WHERE status = 'placed';

-- As with animals, each of these serves one combination of filters in the order of the pages.
CREATE INDEX orders_by_status         ON orders (status);
CREATE INDEX orders_by_pet            ON orders (pet_id);
CREATE INDEX orders_by_pet_and_status ON orders (pet_id, status);

-- The id may be any int64. WITHOUT ROWID, so that it is not what the connection reports as its last id with every
-- statement from then on: node:sqlite throws when that is not exact as a number.
CREATE TABLE categories (
  id   INTEGER PRIMARY KEY,
  name TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

-- One writer at a time, and a rollback gives its ids back: they ascend with the commits and have no gaps.
-- AUTOINCREMENT: the latest id is known though the event may be kept no more.
CREATE TABLE events (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  type    TEXT    NOT NULL,
  subject INTEGER NOT NULL,
  at      INTEGER NOT NULL,
  data    TEXT    NOT NULL
) STRICT;
