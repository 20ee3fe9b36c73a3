-- Words are UTF-8 in bytes, since people may write what a database refuses as text.
CREATE TABLE texts (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    digest TEXT NOT NULL,
    salt BYTEA NOT NULL,
    words BYTEA,
    PRIMARY KEY (table_id, digest)
);

CREATE TABLE private (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    data BYTEA NOT NULL,
    checksum BIGINT NOT NULL,
    PRIMARY KEY (table_id, name)
);
