"""An AI in a seat from the table itself: pydantic-ai's agent with the tools of the MCP server, in this process."""
