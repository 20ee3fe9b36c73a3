-- The passes that let people in from the web, by the digest of a secret that only they have; and who is there now.
CREATE TABLE passes (
    digest TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    table_id TEXT REFERENCES tables (id) ON DELETE CASCADE,
    seat TEXT,
    made INTEGER NOT NULL,
    until INTEGER NOT NULL,
    used INTEGER,
    revoked INTEGER,
    options TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX passes_of_a_table ON passes (table_id);

CREATE TABLE presence (
    table_id TEXT NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat TEXT NOT NULL,
    process TEXT NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (table_id, seat, process)
) STRICT, WITHOUT ROWID;
