"""Heroes made in the browser."""
