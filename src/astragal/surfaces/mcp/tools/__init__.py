"""The tools of the MCP server, and their schemas."""
