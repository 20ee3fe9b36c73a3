"""Commands on their way to events: how one is executed, the built-in ones, consent, and what the log keeps of rolls."""
