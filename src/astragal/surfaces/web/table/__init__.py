"""Parts of a table's page: panels, sheets, actions, pending decisions, the game master's screen."""
