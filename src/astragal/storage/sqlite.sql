-- name: set_up_connection
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA secure_delete = ON;
PRAGMA cell_size_check = ON;
PRAGMA trusted_schema = OFF;
PRAGMA journal_size_limit = 67108864;
PRAGMA wal_autocheckpoint = 4000;

-- name: whose_file
-- One statement, so that a file which another process is just making is seen before or after, not between.
SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
FROM pragma_application_id, pragma_user_version;

-- name: empty_write_ahead_log
PRAGMA wal_checkpoint(TRUNCATE);

-- name: hold_table
-- The log is going to be of this length. No row changes if it does not end with this entry, or if its last entry holds
-- something else than `tail`, where that is given.
UPDATE tables SET length = :length
WHERE id = :table_id
AND :after = coalesce((SELECT max(number) FROM entries WHERE table_id = :table_id), 0)
AND (:tail IS NULL OR :tail = (SELECT data FROM entries WHERE table_id = :table_id ORDER BY number DESC LIMIT 1));

-- name: add_entry
-- No row changes if the number is taken.
INSERT INTO entries (table_id, number, name, version, at, data, checksum)
VALUES (:table_id, :number, :name, :version, :at, :data, :checksum)
ON CONFLICT DO NOTHING;

-- name: read_entries
-- A damaged name need not be UTF-8, so it is read as bytes.
SELECT
    number, CAST(name AS BLOB), version, at, data, checksum, (SELECT length FROM tables WHERE id = :table_id)
FROM entries
WHERE table_id = :table_id AND number > :after AND number <= :up_to
ORDER BY number LIMIT :page;

-- name: find_texts
SELECT digest, salt, words FROM texts
WHERE table_id = :table_id AND digest IN (SELECT value FROM json_each(:digests));

-- name: add_snapshot
INSERT INTO snapshots (table_id, number, data, seal)
SELECT id, :number, :data, :seal FROM tables WHERE id = :table_id
ON CONFLICT (table_id, number) DO UPDATE SET data = excluded.data, seal = excluded.seal;

-- name: add_pass
-- No row changes where there is no such table.
INSERT INTO passes (digest, kind, table_id, seat, made, until, used, revoked, options, device)
SELECT :digest, :kind, id, :seat, :made, :until, :used, :revoked, :options, :device FROM tables WHERE id = :table_id;

-- name: hold_seats
-- The transaction keeps other writers out.
SELECT id FROM tables WHERE id = :table_id;

-- name: find_passes
SELECT digest, kind, table_id, seat, made, until, used, revoked, options, device FROM passes
WHERE digest IN (SELECT value FROM json_each(:digests));

-- name: hold_passes
-- The transaction keeps other writers out.
SELECT digest, device FROM passes
WHERE digest IN (SELECT value FROM json_each(:digests))
ORDER BY digest;

-- name: merge_passes
-- What belonged to these belongs to the device from now on, and so do they themselves.
UPDATE passes SET device = :device
WHERE digest <> :device
AND (digest IN (SELECT value FROM json_each(:digests)) OR device IN (SELECT value FROM json_each(:digests)));

-- name: note_presence
INSERT INTO presence (table_id, seat, process, until)
SELECT id, :seat, :process, :until FROM tables WHERE id = :table_id
ON CONFLICT (table_id, seat, process) DO UPDATE SET until = excluded.until;

-- name: keep_job
-- No row changes where there is no such table.
INSERT INTO jobs (id, kind, table_id, data, holder, until)
SELECT :id, :kind, id, :data, :holder, :until FROM tables WHERE id = :table_id
ON CONFLICT (id) DO UPDATE SET data = excluded.data, holder = excluded.holder, until = excluded.until;

-- name: hold_job
SELECT id, kind, table_id, data, holder, until FROM jobs WHERE id = :id;

-- name: announce
-- Others see that the file has changed.
SELECT :table_id;

-- name: delete_table
DELETE FROM tables WHERE id = :table_id;
