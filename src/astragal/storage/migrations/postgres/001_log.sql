CREATE SCHEMA IF NOT EXISTS astragal;

CREATE TABLE migrations (
    number BIGINT PRIMARY KEY,
    applied TIMESTAMPTZ NOT NULL DEFAULT now()
);

CREATE TABLE tables (
    ordinal BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT NOT NULL UNIQUE
);

CREATE TABLE entries (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    number BIGINT NOT NULL CHECK (number > 0),
    name TEXT NOT NULL,
    version BIGINT NOT NULL,
    at BIGINT NOT NULL,
    data BYTEA NOT NULL,
    checksum BIGINT NOT NULL,
    PRIMARY KEY (table_id, number)
);

CREATE TABLE answers (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    command TEXT NOT NULL,
    asked BYTEA NOT NULL,
    data BYTEA NOT NULL,
    checksum BIGINT NOT NULL,
    PRIMARY KEY (table_id, command)
);
