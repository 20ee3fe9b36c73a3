CREATE TABLE snapshots (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    data BLOB NOT NULL,
    seal BLOB NOT NULL,
    PRIMARY KEY (table_id, number)
) STRICT;
