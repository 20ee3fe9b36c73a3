"""Fault campaign: `./run soak`."""
