"""Questions that a designer asks: about rules, from their odds alone. Knows no game."""
