"""The rolls themselves: numbers in, verdict out. Nothing here knows a table."""
