"""The documentation as a site, and the pages for coding agents."""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"\]\((?!https?:)([^)#\s]+)\)")


IMPORT = re.compile(r"^\s*from (plainloop(?:\.[\w.]+)?) import (\([^)]*\)|[^\n(]+)", re.MULTILINE)


def list_imported() -> set[str]:
    """What pages and examples import of the service, by the names of where it is defined."""
    found = set[str]()
    for path in (*(ROOT / "docs").glob("*.md"), *(ROOT / "examples").rglob("*.py")):
        for module, names in IMPORT.findall(path.read_text(encoding="utf-8")):
            home = importlib.import_module(module)
            for name in re.findall(r"\w+", re.sub(r" as \w+|#.*", "", names)):
                thing = getattr(home, name)
                found.add(f"{getattr(thing, '__module__', module)}.{name}")
    return {name for name in found if name.startswith("plainloop.")}


@pytest.mark.skipif(
    importlib.util.find_spec("material") is None and not (ROOT / ".venv" / "site").is_dir(),
    reason="mkdocs-material is not installed: ./scripts/packages",
)
def test_the_site_builds_without_warnings(tmp_path: Path):
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
    reference = read_pages(tmp_path / "site" / "reference")
    assert {name for name in list_imported() if f'id="{name}"' not in reference} == set()
    assert "&gt;&gt;&gt;" not in re.sub(r"(?s)<code.*?</code>", "", reference)


def read_pages(folder: Path) -> str:
    return "\n".join(page.read_text(encoding="utf-8") for page in folder.rglob("*.html"))


@pytest.mark.parametrize("name", ["llms.txt", "AGENTS.md", "examples/README.md"])
def test_paths_named_in_agents_md_exist(name: str):
    page = ROOT / name

    named = LINK.findall(page.read_text(encoding="utf-8"))

    assert named
    assert [path for path in named if not (page.parent / path).exists()] == []


def test_every_documentation_page_is_in_the_sites_navigation():
    text = (ROOT / "scripts" / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]

    pages = {path.name for path in (ROOT / "docs").glob("*.md")}

    assert pages - set(re.findall(r"[\w-]+\.md", text)) == set()
