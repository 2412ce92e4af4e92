"""What the site makes of links that leave `docs/`: the path is named, as it has no page there."""

from __future__ import annotations

import posixpath
import re
from typing import Any

LINK = re.compile(r"(?<!!)\[([^\]\n]+)\]\(((?:\.\./)+[^)\s]+)\)")


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Called by mkdocs for each page."""
    folder = posixpath.join("docs", posixpath.dirname(page.file.src_uri))

    def name_path(found: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(folder, found[2].partition("#")[0]))
        if path.startswith("docs/") and path.endswith(".md"):
            return found[0]
        return f"{found[1]} (`{path}`)"

    return LINK.sub(name_path, markdown)
