-- What both databases understand alike. sqlite.sql and postgres.sql hold what each says in its own way.
-- Parameters bear the names of the columns they go to.

-- name: add_table
-- No row changes if there is a table of this id already.
INSERT INTO tables (id) VALUES (:table_id) ON CONFLICT DO NOTHING;

-- name: add_answer
-- No row changes if the command is answered already.
INSERT INTO answers (table_id, command, asked, data, checksum)
VALUES (:table_id, :command, :asked, :data, :checksum)
ON CONFLICT DO NOTHING;

-- name: add_text
-- What was blanked stays blank.
INSERT INTO texts (table_id, digest, salt, words) VALUES (:table_id, :digest, :salt, :words)
ON CONFLICT DO NOTHING;

-- name: set_private
INSERT INTO private (table_id, name, data, checksum) VALUES (:table_id, :name, :data, :checksum)
ON CONFLICT (table_id, name) DO UPDATE SET data = excluded.data, checksum = excluded.checksum;

-- name: last_entry
-- A row even for a table without entries; none where there is no table.
SELECT coalesce((SELECT max(number) FROM entries WHERE table_id = tables.id), 0) FROM tables WHERE id = :table_id;

-- name: find_answer
SELECT asked, data, checksum FROM answers WHERE table_id = :table_id AND command = :command;

-- name: all_texts
SELECT digest, salt, words FROM texts WHERE table_id = :table_id;

-- name: blank_text
UPDATE texts SET words = NULL WHERE table_id = :table_id AND digest = :digest;

-- name: find_private
SELECT name, data, checksum FROM private WHERE table_id = :table_id;

-- name: find_snapshots
SELECT number, data, seal FROM snapshots WHERE table_id = :table_id ORDER BY number DESC;

-- name: drop_older_snapshots
DELETE FROM snapshots WHERE table_id = :table_id AND number < :number;

-- name: list_tables
SELECT id FROM tables ORDER BY ordinal;

-- Whole tables, for backup and restore.

-- name: delete_everything
DELETE FROM tables;

-- name: every_table
SELECT id FROM tables ORDER BY ordinal;

-- name: every_entry
SELECT table_id, number, name, version, at, data, checksum FROM entries;

-- name: every_answer
SELECT table_id, command, asked, data, checksum FROM answers;

-- name: every_text
SELECT table_id, digest, salt, words FROM texts;

-- name: every_private
SELECT table_id, name, data, checksum FROM private;

-- name: put_table
INSERT INTO tables (id) VALUES (:id);

-- name: put_entry
INSERT INTO entries (table_id, number, name, version, at, data, checksum)
VALUES (:table_id, :number, :name, :version, :at, :data, :checksum);

-- name: put_answer
INSERT INTO answers (table_id, command, asked, data, checksum)
VALUES (:table_id, :command, :asked, :data, :checksum);

-- name: put_text
INSERT INTO texts (table_id, digest, salt, words) VALUES (:table_id, :digest, :salt, :words);

-- name: put_private
INSERT INTO private (table_id, name, data, checksum) VALUES (:table_id, :name, :data, :checksum);
