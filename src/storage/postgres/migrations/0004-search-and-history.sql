-- The turn of the writers, first of all: none of them then holds one of the tables below while it waits for another.
SELECT last FROM counters WHERE name = 'pets' FOR UPDATE;

-- Who made the change of an event, as JSON: {"keyid", "keyname", "requestid"}. NULL: unknown, as for the events of
-- the version before, of which an instance may still run.
ALTER TABLE events ADD COLUMN author text;

-- A key may administer keys. An instance of the version before takes such a key as one that may write.
ALTER TABLE api_keys DROP CONSTRAINT api_keys_permission_check;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_permission_check CHECK (permission IN ('read', 'write', 'admin'));

-- The history of one animal, with its orders, and of one order. The animal is computed, so the events of the version
-- before have it too. A created animal is an entry at the end of one index; the other has events of orders only.
CREATE INDEX events_by_pet ON events
  ((CASE WHEN type LIKE 'order.%' THEN (data::json ->> 'petId')::int8 ELSE subject END), id);
CREATE INDEX events_by_order ON events (subject, id) WHERE type LIKE 'order.%';
