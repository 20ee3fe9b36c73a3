"""Fields of commands and values: types and marks, shapes, validation, JSON schemas, look-up of names as typed."""
