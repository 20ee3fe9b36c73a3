"""Building blocks of games: chapters, commands, events, sheets, heroes on paper."""
