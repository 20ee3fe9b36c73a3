"""Who may see what: marks, redaction, events as a seat sees them, cursors."""
