"""A tool server, written with the official package."""

from mcp.server import MCPServer

server = MCPServer("tickets")


@server.tool()
def search(text: str) -> str:
    """Find tickets by their text."""
    return f"#7 {text} (open)"


@server.tool()
def create(title: str) -> str:
    """Open a ticket."""
    return f"#8 {title}"


server.run("stdio")
