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

-- The animals without a status, of all categories and of one. The indexes by status leave them out. Every id is above
-- 0: the condition keeps the planner from the first index for a list of one category, which it would have to sort.
CREATE INDEX pets_without_status             ON pets (id)              WHERE status IS NULL AND id > 0;
CREATE INDEX pets_by_category_without_status ON pets (category_id, id) WHERE status IS NULL;

-- The words of the name (wordsOf), for search and for a list by name. NULL: an instance of the version before wrote the
-- name, or this migration found it. Such pets are searched by their names until the words are added (names-repair.ts).
ALTER TABLE pets ADD COLUMN words text COLLATE "C";
-- A search reads all pending entries: few, so that it stays fast.
CREATE INDEX pets_by_words ON pets USING gin ((words::tsvector)) WITH (gin_pending_list_limit = 256) WHERE words IS NOT NULL;
CREATE INDEX pets_without_words ON pets (id) WHERE words IS NULL;

-- An instance of the version before changes the name alone.
CREATE FUNCTION forget_pet_words() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.words := NULL;
    RETURN NEW;
  END
$$;
CREATE TRIGGER forget_pet_words BEFORE UPDATE OF name ON pets FOR EACH ROW
  WHEN (OLD.name <> NEW.name AND OLD.words = NEW.words) EXECUTE FUNCTION forget_pet_words();
