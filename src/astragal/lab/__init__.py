"""Design lab: answers a designer's questions about rules from their odds alone. Knows no game."""
