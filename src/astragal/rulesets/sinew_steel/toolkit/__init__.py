"""The toolkit that a skin or a table switches on, and Wealth."""
