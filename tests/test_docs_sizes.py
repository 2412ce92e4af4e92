"""The documentation stays as short as a reader's patience: sizes, words, decisions, first lines."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PICTURES = {".png", ".svg"}
BYTES_AT_MOST = 340_000  # of docs/ without pictures
WORDS_AT_MOST = 2_500  # of a page
DECISIONS_AT_MOST = 20
CHANGELOG_WORDS_AT_MOST = 3_200  # of the newest version
CHANGELOG_LINE_AT_MOST = 650  # characters: one change, or a few that belong together
PARTS = ("**Problem.", "**Choice", "**Data", "**Rejected.")
PAGES = sorted([*DOCS.glob("*.md"), *ROOT.glob("packages/*/docs/*.md")])


def test_the_documentation_fits_into_its_size():
    files = [path for path in DOCS.rglob("*") if path.is_file() and path.suffix not in PICTURES]

    assert sum(path.stat().st_size for path in files) <= BYTES_AT_MOST


def test_no_documentation_page_exceeds_its_word_limit():
    words = {path.name: count_words(path.read_text(encoding="utf-8")) for path in PAGES}

    assert {name: count for name, count in words.items() if count > WORDS_AT_MOST} == {}


def count_words(text: str) -> int:
    """Count what has a letter or digit: the rules of tables are no words."""
    return sum(any(char.isalnum() for char in item) for item in text.split())


def test_every_page_begins_with_its_purpose_and_a_short_example():
    late = []
    for path in PAGES:
        lines = path.read_text(encoding="utf-8").splitlines()
        first = next((n for n, line in enumerate(lines) if line.startswith("```")), None)
        is_prose = lines[0].startswith("# ") and re.match(r"[A-Z`]", lines[2])
        if not is_prose or (path.name != "comparison.md" and (first is None or first > 26)):
            late.append(path.name)

    assert late == []


def test_decision_pages_are_few_and_have_the_four_parts():
    pages = sorted((DOCS / "decisions").glob("*.md"))

    assert 0 < len(pages) <= DECISIONS_AT_MOST
    assert {
        page.name: missing
        for page in pages
        if (missing := [part for part in PARTS if part not in page.read_text(encoding="utf-8")])
    } == {}


def test_the_changelogs_newest_version_has_short_entries():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.split(r"^## ", text, flags=re.MULTILINE)[1]

    assert len(newest.split()) <= CHANGELOG_WORDS_AT_MOST
    assert [line for line in newest.splitlines() if len(line) > CHANGELOG_LINE_AT_MOST] == []
    assert re.findall(r"^### (\w+)", newest, re.MULTILINE)[0] == "Breaking"
