-- How many entries a log has, to notice one that ends early.
ALTER TABLE tables ADD COLUMN length INTEGER NOT NULL DEFAULT 0;

UPDATE tables SET length = coalesce((SELECT max(number) FROM entries WHERE table_id = tables.id), 0);
