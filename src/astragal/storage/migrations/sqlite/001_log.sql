PRAGMA application_id = 0x41737467; -- "Astg"

CREATE TABLE tables (
    ordinal INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE entries (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    number INTEGER NOT NULL CHECK (number > 0),
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    at INTEGER NOT NULL,
    data BLOB NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (table_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE answers (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    command TEXT NOT NULL,
    asked BLOB NOT NULL,
    data BLOB NOT NULL,
    checksum INTEGER NOT NULL,
    PRIMARY KEY (table_id, command)
) STRICT, WITHOUT ROWID;
