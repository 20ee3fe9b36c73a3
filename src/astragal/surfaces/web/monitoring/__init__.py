"""Monitoring of a running server: its log, its figures, and whether it is ready."""
