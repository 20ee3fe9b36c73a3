"""The state of a table: seats, characters, and what lies on every table."""
