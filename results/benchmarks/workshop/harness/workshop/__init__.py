"""A repair workshop behind an MCP server: its stock, its customers' machines, orders and money."""
