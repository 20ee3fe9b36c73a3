"""Everything that a game is written with: chapters, commands, events, sheets, heroes on paper."""
