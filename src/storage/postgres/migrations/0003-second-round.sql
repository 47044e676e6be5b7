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
  available int8 NOT NULL,
  pending   int8 NOT NULL,
  sold      int8 NOT NULL,
  none      int8 NOT NULL,
  event     int8 NOT NULL
);

INSERT INTO pet_totals
  SELECT coalesce(sum(animals) FILTER (WHERE status = 'available'), 0),
    coalesce(sum(animals) FILTER (WHERE status = 'pending'), 0), coalesce(sum(animals) FILTER (WHERE status = 'sold'), 0),
    coalesce(sum(animals) FILTER (WHERE status = ''), 0), (SELECT last FROM counters WHERE name = 'events')
  FROM pet_counts;
