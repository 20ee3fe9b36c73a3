-- What both databases understand alike. sqlite.sql and postgres.sql hold what each says in its own way.
-- Parameters bear the names of the columns they go to.

-- name: add_table
-- No row changes if there is a table of this id already.
INSERT INTO tables (id, length) VALUES (:table_id, :length) ON CONFLICT DO NOTHING;

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
-- And how many entries there should be. A row even for a table without entries; none where there is no table.
SELECT coalesce((SELECT max(number) FROM entries WHERE table_id = tables.id), 0), length
FROM tables WHERE id = :table_id;

-- name: find_answer
SELECT asked, data, checksum FROM answers WHERE table_id = :table_id AND command = :command;

-- name: all_texts
SELECT digest, salt, words FROM texts WHERE table_id = :table_id;

-- name: blank_text
UPDATE texts SET words = NULL, salt = :no_salt WHERE table_id = :table_id AND digest = :digest;

-- name: add_picture
-- The same bytes are kept once.
INSERT INTO pictures (table_id, digest, data) VALUES (:table_id, :digest, :data) ON CONFLICT DO NOTHING;

-- name: list_pictures
SELECT digest FROM pictures WHERE table_id = :table_id ORDER BY digest;

-- name: find_picture
SELECT data FROM pictures WHERE table_id = :table_id AND digest = :digest;

-- name: drop_picture
DELETE FROM pictures WHERE table_id = :table_id AND digest = :digest;

-- name: find_private
SELECT name, data, checksum FROM private WHERE table_id = :table_id;

-- name: find_snapshots
SELECT number, data, seal FROM snapshots WHERE table_id = :table_id ORDER BY number DESC;

-- name: drop_older_snapshots
DELETE FROM snapshots WHERE table_id = :table_id AND number < :number;

-- name: list_tables
SELECT id FROM tables ORDER BY ordinal;

-- Passes, and who is there.

-- name: add_owner_pass
INSERT INTO passes (digest, kind, made, until, used, revoked, options, device)
VALUES (:digest, :kind, :made, :until, :used, :revoked, :options, :device);

-- name: add_device
-- No row changes where the device is there already.
INSERT INTO passes (digest, kind, made, until, options) VALUES (:digest, 'device', :made, :until, '{}')
ON CONFLICT DO NOTHING;

-- name: prolong_pass
UPDATE passes SET until = :until WHERE digest = :digest AND until < :until;

-- name: find_pass
SELECT digest, kind, table_id, seat, made, until, used, revoked, options, device FROM passes WHERE digest = :digest;

-- name: passes_of_table
SELECT digest, kind, table_id, seat, made, until, used, revoked, options, device FROM passes WHERE table_id = :table_id
ORDER BY made, digest;

-- name: find_valid_pass_to_seat
SELECT digest FROM passes
WHERE table_id = :table_id AND seat = :seat AND used IS NULL AND revoked IS NULL AND until > :now LIMIT 1;

-- name: passes_of_device
SELECT digest, kind, table_id, seat, made, until, used, revoked, options, device FROM passes WHERE device = :device
ORDER BY made, digest;

-- name: newest_pass_of_device
SELECT digest, kind, table_id, seat, made, until, used, revoked, options, device FROM passes
WHERE device = :device AND kind = :kind AND table_id IS NOT DISTINCT FROM :table_id AND revoked IS NULL
ORDER BY made DESC, digest DESC LIMIT 1;

-- name: revoke_earlier_passes_of_device
-- A device has one seat at a table.
UPDATE passes SET revoked = :now
WHERE device = :device AND kind = :kind AND table_id IS NOT DISTINCT FROM :table_id
AND digest <> :digest AND revoked IS NULL;

-- name: use_pass
-- No row changes if it was used already, or is no longer good.
UPDATE passes SET used = :now WHERE digest = :digest AND used IS NULL AND revoked IS NULL AND until > :now;

-- name: revoke_pass
UPDATE passes SET revoked = :now WHERE digest = :digest AND revoked IS NULL;

-- name: revoke_passes_of_seat
UPDATE passes SET revoked = :now
WHERE table_id = :table_id AND seat = :seat AND kind = :kind AND revoked IS NULL;

-- name: revoke_passes_of_table
UPDATE passes SET revoked = :now WHERE table_id = :table_id AND revoked IS NULL;

-- name: revoke_device
UPDATE passes SET revoked = :now WHERE (digest = :device OR device = :device) AND revoked IS NULL;

-- name: drop_past_passes
DELETE FROM passes WHERE until <= :now;

-- name: find_presence
SELECT DISTINCT seat FROM presence WHERE table_id = :table_id AND until > :now;

-- name: find_presence_elsewhere
SELECT DISTINCT table_id, seat FROM presence WHERE process <> :process AND until > :now;

-- name: drop_past_presence
DELETE FROM presence WHERE until <= :now;

-- name: drop_presence
DELETE FROM presence WHERE table_id = :table_id AND seat = :seat AND process = :process;

-- name: prolong_presence
UPDATE presence SET until = :until WHERE process = :process;

-- name: every_pass
-- Those to tables: the owner's do not go when tables do.
SELECT digest, kind, table_id, seat, made, until, used, revoked, options, device FROM passes WHERE table_id IS NOT NULL;

-- name: forget_passes
DELETE FROM passes;

-- name: forget_presence
DELETE FROM presence;

-- name: jobs_of_kind
SELECT id, kind, table_id, data, holder, until FROM jobs WHERE kind = :kind ORDER BY id;

-- name: claim_job
UPDATE jobs SET holder = :holder, until = :until WHERE id = :id AND (holder = :holder OR until <= :now);

-- name: release_jobs
UPDATE jobs SET holder = '', until = 0 WHERE holder = :holder;

-- name: forget_job
DELETE FROM jobs WHERE id = :id;

-- name: every_job
SELECT id, kind, table_id, data, holder, until FROM jobs;

-- name: forget_jobs
DELETE FROM jobs;

-- Whole tables, for backup and restore.

-- name: delete_everything
DELETE FROM tables;

-- name: every_table
SELECT id, length FROM tables ORDER BY ordinal;

-- name: every_entry
SELECT table_id, number, name, version, at, data, checksum FROM entries;

-- name: every_answer
SELECT table_id, command, asked, data, checksum FROM answers;

-- name: every_text
SELECT table_id, digest, salt, words FROM texts;

-- name: every_private
SELECT table_id, name, data, checksum FROM private;

-- name: every_picture
SELECT table_id, digest, data FROM pictures;

-- name: put_table
INSERT INTO tables (id, length) VALUES (:id, :length);

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

-- name: put_picture
INSERT INTO pictures (table_id, digest, data) VALUES (:table_id, :digest, :data);
