"""Four games' dice, each as rules a page long: written once, then played, weighed and advised on."""
