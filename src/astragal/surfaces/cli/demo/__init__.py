"""Demonstrations for `astragal demo`."""
