"""Dice chains and receipts that this program keeps for its user."""
