"""Fields of commands and values: types and marks, shapes, validation, JSON schemas, names as people type them."""
