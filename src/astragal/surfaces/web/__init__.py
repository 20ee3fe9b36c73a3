"""The web table: pages, live streams and a JSON API, drawn from what each seat may see."""
