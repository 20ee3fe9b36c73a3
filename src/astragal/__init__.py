"""Astragal: tabletop rules written once, then played, proved and weighed."""
