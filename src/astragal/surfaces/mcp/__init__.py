"""An AI at the table: tools, resources and prompts over the Model Context Protocol."""
