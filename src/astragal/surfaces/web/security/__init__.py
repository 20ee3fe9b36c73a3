"""Security: hosts and origins, rate limits, passes, cookies."""
