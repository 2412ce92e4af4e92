"""Give links that leave `docs/` a target on the site, or name their path where it has no page."""

from __future__ import annotations

import posixpath
import re
from typing import Any

LINK = re.compile(r"(?<!!)\[([^\]\n]+)\]\(((?:\.\./)+[^)\s]+)\)")
LAB = "packages/lab/docs/"  # pages of plainloop-lab: on the site they stand in `lab/`


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Called by mkdocs for each page."""
    return rewrite(markdown, page.file.src_uri)


def rewrite(markdown: str, source: str) -> str:
    """Rewrite the links of a page that stands at `source` on the site."""
    home = posixpath.dirname(source)
    folder = LAB.rstrip("/") if home == "lab" else posixpath.join("docs", home)

    def lead(found: re.Match[str]) -> str:
        path, mark, anchor = found[2].partition("#")
        path = posixpath.normpath(posixpath.join(folder, path))
        if path.endswith(".md") and path.startswith(("docs/", LAB)):
            target = path.replace(LAB, "docs/lab/").removeprefix("docs/")
            return f"[{found[1]}]({posixpath.relpath(target, home or '.')}{mark}{anchor})"
        return f"{found[1]} (`{path}`)"

    return LINK.sub(lead, markdown)
