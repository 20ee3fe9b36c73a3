-- The device that a pass belongs to, by the digest of the device's own pass. That of a device which was merged into
-- another names the other.
ALTER TABLE passes ADD COLUMN device TEXT;

CREATE INDEX passes_of_a_device ON passes (device, table_id);
