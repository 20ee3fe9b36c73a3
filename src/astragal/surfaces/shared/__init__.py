"""Shared by all surfaces: what terminal, web table and MCP server have in common."""
