"""Visibility: marks, redaction, events as a seat sees them, cursors."""
