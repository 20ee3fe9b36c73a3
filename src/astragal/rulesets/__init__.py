"""The game systems: each folder reads like its book, and none knows another."""
