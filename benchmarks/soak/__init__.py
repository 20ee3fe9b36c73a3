"""The fault campaign: `./run soak`."""
