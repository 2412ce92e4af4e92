"""Documents of any pack: indexed in Postgres, found by words and by meaning."""

from pathlib import Path
from typing import Any

MIGRATIONS = Path(__file__).parent / "migrations"


def extend(packs: Any, settings: Any) -> Any:
    """Return the packs, with routes for documents if a pack's tools search documents.

    The routes are in a pack that is added. Only then is anything imported: settings are read
    without it. Raises: ConfigError.
    """
    functions = (tool.function for pack in packs for tool in pack.tools)
    if not any(hasattr(getattr(one, "__self__", None), "collection") for one in functions):
        return packs
    from .pack import serve_documents

    return serve_documents(packs)
