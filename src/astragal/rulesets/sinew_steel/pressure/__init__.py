"""Pressure: its tracks, what fills them, the crisis at the end, the moves on the way, and how to shed it."""
