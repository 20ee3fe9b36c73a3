"""The tools of the MCP server, their schemas and results."""
