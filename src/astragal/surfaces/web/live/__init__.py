"""Live updates: hub, panels, server-sent events, and who is connected."""
