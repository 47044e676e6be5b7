INSERT INTO counters VALUES ('orders', 0), ('events', 0);

-- Times are milliseconds since 1970.
CREATE TABLE orders (
  id         int8 PRIMARY KEY,
  -- No foreign key: what was ordered once stays told after the animal is gone.
  pet_id     int8 NOT NULL,
  status     text COLLATE "C" NOT NULL CHECK (status IN ('placed', 'completed', 'cancelled')),
  placed_at  int8 NOT NULL,
  updated_at int8 NOT NULL
);

-- No animal is ever sold twice: the table itself refuses a second open order.
CREATE UNIQUE INDEX open_orders_by_pet ON orders (pet_id) WHERE status = 'placed';

-- As with animals, each of these serves one combination of filters in the order of the pages.
CREATE INDEX orders_by_status         ON orders (status, id);
CREATE INDEX orders_by_pet            ON orders (pet_id, id);
CREATE INDEX orders_by_pet_and_status ON orders (pet_id, status, id);

CREATE TABLE categories (
  id   int8 PRIMARY KEY,
  name text NOT NULL
);

-- Their ids come from a counter, as those of animals do: in the order of the commits, without gaps.
CREATE TABLE events (
  id      int8 PRIMARY KEY,
  type    text COLLATE "C" NOT NULL,
  subject int8 NOT NULL,
  at      int8 NOT NULL,
  data    text NOT NULL
);
