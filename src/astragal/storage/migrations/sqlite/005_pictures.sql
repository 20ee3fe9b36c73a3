-- Pictures that people brought, by the SHA-256 of their bytes, which the log names.
CREATE TABLE pictures (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    digest TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (table_id, digest)
) STRICT;
