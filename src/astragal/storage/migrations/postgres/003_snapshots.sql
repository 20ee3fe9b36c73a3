CREATE TABLE snapshots (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    number BIGINT NOT NULL,
    data BYTEA NOT NULL,
    seal BYTEA NOT NULL,
    PRIMARY KEY (table_id, number)
);
