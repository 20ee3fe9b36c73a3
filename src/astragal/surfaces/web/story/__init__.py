"""The story on a page: cards, log, scene graph, Markdown."""
