"""Messages: contents, files and calls, and what a request and an answer must satisfy."""

from .contents import get_text, get_turn

__all__ = ["get_text", "get_turn"]
