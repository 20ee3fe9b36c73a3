"""The terminal: `astragal` and its commands."""
