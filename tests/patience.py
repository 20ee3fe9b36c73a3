"""How long a test waits for what must come."""

LONG = 300.0
"""Seconds. It comes at once, or soon on a machine that is busy with much else; only what hangs takes so long."""
