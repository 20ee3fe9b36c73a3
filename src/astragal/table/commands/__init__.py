"""Commands: execution, the built-in ones with their handlers and events, and consent."""
