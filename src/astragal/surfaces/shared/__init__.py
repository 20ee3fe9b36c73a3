"""Code that all surfaces share: terminal, web table and MCP server."""
