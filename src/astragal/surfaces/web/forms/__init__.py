"""Forms made from the definitions of commands, and reading what they send."""
