"""Writing answers: text, tables, bars, pictures and JSON lines."""
