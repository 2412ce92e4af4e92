"""The documentation as a site, and the pages for coding agents."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)\)")


@pytest.mark.skipif(
    importlib.util.find_spec("material") is None, reason="mkdocs-material is not installed"
)
def test_the_site_builds_without_a_warning(tmp_path: Path):
    environ = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}

    built = subprocess.run(
        [ROOT / "scripts" / "site", "-d", str(tmp_path / "site")],
        capture_output=True,
        text=True,
        env=environ,
    )

    assert (built.returncode, built.stdout + built.stderr) == (0, "")
    assert (tmp_path / "site" / "index.html").exists()
    fetched = re.findall(
        r'(?:src|href)="(https?://[^"]*\.(?:js|css|woff2?))"', read_pages(tmp_path)
    )
    assert fetched == []


def read_pages(folder: Path) -> str:
    return "\n".join(page.read_text(encoding="utf-8") for page in folder.rglob("*.html"))


@pytest.mark.parametrize("name", ["llms.txt", "AGENTS.md", "examples/README.md"])
def test_every_path_that_a_page_for_agents_names_is_there(name: str):
    page = ROOT / name

    named = LINK.findall(page.read_text(encoding="utf-8"))

    assert named
    assert [path for path in named if not (page.parent / path).exists()] == []


def test_every_page_of_the_documentation_is_in_the_order_of_the_site():
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]

    pages = {path.name for path in (ROOT / "docs").glob("*.md")}

    assert pages - set(re.findall(r"[\w-]+\.md", text)) == set()
