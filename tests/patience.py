"""How long a test waits for what must come."""

import os

LONG = float(os.environ.get("ASTRAGAL_PATIENCE", "300"))
"""Seconds. It comes at once, or soon on a machine that is busy with much else; only what hangs takes so long."""
