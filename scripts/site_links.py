"""Give links that leave `docs/` a target on the site, or name their path where it has no page."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"(?<!!)\[([^\]\n]+)\]\(((?:\.\./)+[^)\s]+)\)")
PAGE = re.compile(r"packages/(\w+)/docs/(\w+\.md)")  # of a package: `NAME/…` on the site


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Called by mkdocs for each page."""
    return rewrite(markdown, page.file.src_uri)


def rewrite(markdown: str, source: str) -> str:
    """Rewrite the links of a page that stands at `source` on the site."""
    home = posixpath.dirname(source)
    is_ours = (ROOT / "packages" / home / "docs").is_dir() if home else False
    folder = f"packages/{home}/docs" if is_ours else posixpath.join("docs", home)

    def lead(found: re.Match[str]) -> str:
        path, mark, anchor = found[2].partition("#")
        path = posixpath.normpath(posixpath.join(folder, path))
        target = PAGE.sub(r"docs/\1/\2", path)
        if target.endswith(".md") and target.startswith("docs/"):
            target = posixpath.relpath(target.removeprefix("docs/"), home or ".")
            return f"[{found[1]}]({target}{mark}{anchor})"
        return f"{found[1]} (`{path}`)"

    return LINK.sub(lead, markdown)
