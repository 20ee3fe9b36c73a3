"""Sub-commands of the terminal, a file for each group of them, named as it is typed."""
