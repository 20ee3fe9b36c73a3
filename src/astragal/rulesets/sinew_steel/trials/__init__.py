"""Tests: one die against a score, how somebody comes to roll it, and two sides against each other."""
