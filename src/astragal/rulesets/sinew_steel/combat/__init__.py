"""Fights: attacks, damage, Stamina, and who acts first."""
