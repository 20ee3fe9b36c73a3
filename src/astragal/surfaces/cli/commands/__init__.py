"""Sub-commands of the terminal, one file for each, named as it is typed."""
