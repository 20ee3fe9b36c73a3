"""Honest dice at a table: how they are drawn, and the lines of the public ledger."""
