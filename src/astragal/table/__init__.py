"""The engine that every game shares: seats and rights, one log with its folds, scenes and secrets."""
