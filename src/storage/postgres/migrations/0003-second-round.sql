-- What is known of the database as a whole. `environment` is the one that it was first started with.
CREATE TABLE properties (
  name  text COLLATE "C" PRIMARY KEY,
  value text NOT NULL
);
