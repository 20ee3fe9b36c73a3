"""Requests checked before any route: hosts and origins, rates, passes, cookies."""
