"""A2A 1.0 at `/a2a`: runs as tasks and threads as contexts, for agents that call agents."""

from .card import list_open_routes
from .errors import tell_error
from .routes import list_a2a_routes

__all__ = ["list_a2a_routes", "list_open_routes", "tell_error"]
