-- Whoever changes what belongs to a table holds the table's row first, and so waits for a restore or a deletion under
-- way instead of crossing it. Whoever changes a log says so to all who listen, at the moment of the commit.

-- name: set_up_session
-- A server may be set to acknowledge what it has not written; this program never asks for that.
SELECT
    set_config('search_path', 'astragal', false),
    set_config(
        'synchronous_commit',
        CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END,
        false
    );

-- name: hold_table
-- The log is going to be of this length. No row changes if it does not end with this entry, or if its last entry holds
-- something else than `tail`, where that is given.
-- From here on the table is neither deleted nor replaced; others who append wait, and then find their number taken.
UPDATE tables SET length = :length
WHERE id = :table_id
AND :after = coalesce((SELECT max(number) FROM entries WHERE table_id = :table_id), 0)
AND (
    CAST(:tail AS bytea) IS NULL
    OR :tail = (SELECT data FROM entries WHERE table_id = :table_id ORDER BY number DESC LIMIT 1)
);

-- name: add_entry
-- No row changes if the number is taken.
INSERT INTO entries (table_id, number, name, version, at, data, checksum)
VALUES (:table_id, :number, :name, :version, :at, :data, :checksum)
ON CONFLICT DO NOTHING
RETURNING pg_notify('astragal', table_id);

-- name: read_entries
SELECT
    number, convert_to(name, 'UTF8'), version, at, data, checksum, (SELECT length FROM tables WHERE id = :table_id)
FROM entries
WHERE table_id = :table_id AND number > :after AND number <= :up_to
ORDER BY number LIMIT :page;

-- name: find_texts
SELECT digest, salt, words FROM texts
WHERE table_id = :table_id AND digest IN (SELECT jsonb_array_elements_text(CAST(:digests AS jsonb)));

-- name: add_snapshot
INSERT INTO snapshots (table_id, number, data, seal)
SELECT id, :number, :data, :seal FROM tables WHERE id = :table_id
FOR KEY SHARE
ON CONFLICT (table_id, number) DO UPDATE SET data = excluded.data, seal = excluded.seal;

-- name: add_pass
-- No row changes where there is no such table.
INSERT INTO passes (digest, kind, table_id, seat, made, until, used, revoked, options, device)
SELECT :digest, :kind, id, :seat, :made, :until, :used, :revoked, :options, :device FROM tables WHERE id = :table_id
FOR KEY SHARE;

-- name: hold_seats
-- Others who look for a free seat wait, and then find what was taken.
SELECT id FROM tables WHERE id = :table_id FOR NO KEY UPDATE;

-- name: find_passes
SELECT digest, kind, table_id, seat, made, until, used, revoked, options, device FROM passes
WHERE digest IN (SELECT jsonb_array_elements_text(CAST(:digests AS jsonb)));

-- name: hold_passes
-- In the same order in every process: otherwise two of them could each wait for the other's lock.
SELECT digest, device FROM passes
WHERE digest IN (SELECT jsonb_array_elements_text(CAST(:digests AS jsonb)))
ORDER BY digest
FOR UPDATE;

-- name: merge_passes
-- What belonged to these belongs to the device from now on, and so do they themselves.
UPDATE passes SET device = :device
WHERE digest <> :device
AND (digest IN (SELECT jsonb_array_elements_text(CAST(:digests AS jsonb))) OR device IN (SELECT jsonb_array_elements_text(CAST(:digests AS jsonb))))
RETURNING pg_notify('astragal', '');

-- name: note_presence
INSERT INTO presence (table_id, seat, process, until)
SELECT id, :seat, :process, :until FROM tables WHERE id = :table_id
FOR KEY SHARE
ON CONFLICT (table_id, seat, process) DO UPDATE SET until = excluded.until;

-- name: revoke_pass
-- Other processes remember passes, and are told to look again; so at the next four.
UPDATE passes SET revoked = :now WHERE digest = :digest AND revoked IS NULL
RETURNING pg_notify('astragal', '');

-- name: revoke_passes_of_seat
UPDATE passes SET revoked = :now
WHERE table_id = :table_id AND seat = :seat AND kind = :kind AND revoked IS NULL
RETURNING pg_notify('astragal', '');

-- name: revoke_passes_of_table
UPDATE passes SET revoked = :now WHERE table_id = :table_id AND revoked IS NULL
RETURNING pg_notify('astragal', '');

-- name: revoke_earlier_passes_of_device
-- A device has one seat at a table.
UPDATE passes SET revoked = :now
WHERE device = :device AND kind = :kind AND table_id IS NOT DISTINCT FROM :table_id
AND digest <> :digest AND revoked IS NULL
RETURNING pg_notify('astragal', '');

-- name: revoke_device
UPDATE passes SET revoked = :now WHERE (digest = :device OR device = :device) AND revoked IS NULL
RETURNING pg_notify('astragal', '');

-- name: keep_job
-- No row changes where there is no such table.
INSERT INTO jobs (id, kind, table_id, data, holder, until)
SELECT :id, :kind, id, :data, :holder, :until FROM tables WHERE id = :table_id
FOR KEY SHARE
ON CONFLICT (id) DO UPDATE SET data = excluded.data, holder = excluded.holder, until = excluded.until;

-- name: hold_job
SELECT id, kind, table_id, data, holder, until FROM jobs WHERE id = :id FOR UPDATE;

-- name: announce
SELECT pg_notify('astragal', :table_id);

-- name: delete_table
DELETE FROM tables WHERE id = :table_id RETURNING pg_notify('astragal', id);

-- name: announce_everything
SELECT pg_notify('astragal', '');

-- name: listen
LISTEN astragal;

-- name: keep_others_out
-- Readers go on; whoever would change a table waits.
LOCK TABLE tables IN EXCLUSIVE MODE;

-- name: as_of_one_moment
SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY;

-- name: schema_exists
-- Not by to_regclass(), which may remember that there was none when another process has just made it.
SELECT EXISTS (SELECT FROM pg_catalog.pg_tables WHERE schemaname = 'astragal' AND tablename = 'migrations');

-- name: schema_version
SELECT coalesce(max(number), 0) FROM migrations;

-- name: migrate_alone
SELECT pg_advisory_xact_lock(4711011);

-- name: migrated
INSERT INTO migrations (number) VALUES (:number);
