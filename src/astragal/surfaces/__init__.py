"""Ways to reach the program: each reads a request, has it answered, and shows the answer. No rule lives here."""
