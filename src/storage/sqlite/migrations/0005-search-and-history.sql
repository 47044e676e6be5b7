-- Who made the change of an event, as JSON: {"keyid", "keyname", "requestid"}. NULL: unknown, as for the events of
-- the version before.
ALTER TABLE events ADD COLUMN author TEXT;
