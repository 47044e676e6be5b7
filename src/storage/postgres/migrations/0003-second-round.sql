-- The turn of the writers, first of all: none of them then holds one of the tables below while it waits for another.
SELECT last FROM counters WHERE name = 'pets' FOR UPDATE;

-- What is known of the database as a whole. `environment` is the one that it was first started with.
CREATE TABLE properties (
  name  text COLLATE "C" PRIMARY KEY,
  value text NOT NULL
);

-- The sums of pet_counts, in one row, so that a count without a category is one look-up. `none` is without a status.
-- `event` is the last event whose change they include: an instance of the version before knows nothing of the totals, and
-- what it writes shows by its events (counts.ts).
CREATE TABLE pet_totals (
  id        int4 PRIMARY KEY CHECK (id = 1),
  available int8 NOT NULL,
  pending   int8 NOT NULL,
  sold      int8 NOT NULL,
  none      int8 NOT NULL,
  event     int8 NOT NULL,
  -- How often they were summed up anew, and at which of these times category_totals was, too.
  sums          int8 NOT NULL DEFAULT 0,
  category_sums int8 NOT NULL DEFAULT 0
);

INSERT INTO pet_totals (id, available, pending, sold, none, event)
  SELECT 1, coalesce(sum(animals) FILTER (WHERE status = 'available'), 0),
    coalesce(sum(animals) FILTER (WHERE status = 'pending'), 0), coalesce(sum(animals) FILTER (WHERE status = 'sold'), 0),
    coalesce(sum(animals) FILTER (WHERE status = ''), 0), (SELECT last FROM counters WHERE name = 'events')
  FROM pet_counts;

-- How many pets each category has, whatever their status, to find the largest. As void as the sums above while an instance
-- of the version before writes.
CREATE TABLE category_totals (
  category_id int8 PRIMARY KEY,
  animals     int8 NOT NULL
);
INSERT INTO category_totals SELECT category_id, sum(animals) FROM pet_counts GROUP BY category_id;
CREATE INDEX category_totals_by_size ON category_totals (animals DESC, category_id);

-- Ids are given again once a database has lost its end: by a failover to a server that had less, or by a backup that was
-- restored. So a position in a list names a history beside the id. A history begins when a writer starts, and when it
-- finds another server than the newest one began on, before the first id is given there. It ends where the next begins.
CREATE TABLE histories (
  number        int8 PRIMARY KEY,
  id            text COLLATE "C" NOT NULL UNIQUE,
  -- Timeline and start of the server. NULL where they are not known.
  server        text COLLATE "C",
  began_at      int8 NOT NULL,
  -- The highest ids that were given before.
  pets_before   int8 NOT NULL,
  orders_before int8 NOT NULL,
  events_before int8 NOT NULL
);

-- Who an order is for, and what there is to know about it. NULL: nothing was told, as by an instance of the version before.
ALTER TABLE orders ADD COLUMN customer text;
ALTER TABLE orders ADD COLUMN note text;
