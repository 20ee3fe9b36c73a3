"""Visibility: redaction and its cache, events as a seat sees them, cursors."""
