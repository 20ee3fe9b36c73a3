"""The table as a model reads it: people, commands, odds, recap, secrets."""
