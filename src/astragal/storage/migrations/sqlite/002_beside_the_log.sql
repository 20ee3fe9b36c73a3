-- Words are UTF-8 in bytes, since people may write what a database refuses as text.
CREATE TABLE texts (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    digest TEXT NOT NULL,
    salt BLOB NOT NULL,
    words BLOB,
    PRIMARY KEY (table_id, digest)
) STRICT, WITHOUT ROWID;

CREATE TABLE private (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    data BLOB NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (table_id, name)
) STRICT, WITHOUT ROWID;
