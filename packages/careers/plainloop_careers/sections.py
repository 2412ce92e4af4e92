"""The profile's Markdown by its headings: read it, and replace the text of one section."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final

from plainloop.agent.dataclasses import dataclass

ADDED: Final = "Added from letters"  # its sentences are facts for letters, no topic's answer
# Signs behind the name are left to `fold_name`: a pattern for them took seconds for 20,000 spaces
# (test_a_profile_of_spaces_is_read_without_delay).
_HEADING: Final = re.compile(r"\s{0,3}(#{1,6})\s+(.*)")
_LABEL: Final = re.compile(r"\s*+(?:[-*+]\s++)?[*_]*([^:*_]+)[*_]*:[*_]*\s*(.*)$")
_LEVEL: Final = 2  # of a new section's heading
_DEEPEST: Final = 6


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the lines below it, up to the next topic or heading of its level."""

    level: int  # 0: what stands above the first heading
    name: str  # "" where level is 0
    lines: tuple[str, ...]  # without the heading, with deeper ones

    @property
    def text(self) -> str:
        """Return the section's Markdown; "" where it has headings only."""
        is_empty = all(not line.strip() or _HEADING.match(line) for line in self.lines)
        return "" if is_empty else "\n".join(self.lines).strip()

    @property
    def key(self) -> str:
        """Return the name as sections are compared: without case and signs."""
        return fold_name(self.name)


def list_sections(profile: str, topics: Iterable[str]) -> list[Section]:
    """Split a profile at its headings; a topic's heading always begins a section.

    >>> profile = "Ann\\n## Salary\\n### Now\\n90k\\n## Sport\\nGolf"
    >>> [(section.name, section.text) for section in list_sections(profile, ["Salary"])]
    [('', 'Ann'), ('Salary', '### Now\\n90k'), ('Sport', 'Golf')]
    """
    keys = set(map(fold_name, topics))
    found: list[tuple[int, str, list[str]]] = [(0, "", [])]
    for line in profile.splitlines():
        heading = _HEADING.match(line)
        above = found[-1][0]
        if heading and (not 0 < above < len(heading[1]) or fold_name(heading[2]) in keys):
            found.append((len(heading[1]), heading[2].strip(" #"), []))
        else:
            found[-1][2].append(line)
    return [Section(level, name, tuple(lines)) for level, name, lines in found]


def list_labelled(section: Section) -> list[tuple[str, str]]:
    """List (folded label, text) of each line like `- **City:** Oslo` in a section.

    Sentences that were added from letters have no labels.
    """
    if section.key == fold_name(ADDED):
        return []
    labels = filter(None, map(_LABEL.match, section.lines))
    return [(fold_name(label[1]), label[2].strip()) for label in labels if label[2].strip()]


def set_section(profile: str, topics: Collection[str], name: str, text: str) -> str:
    """Return the profile with another text in one section; an empty text removes the section.

    A topic's text that stood after a label moves into the section.

    >>> set_section("## Salary\\n\\nSkipped\\n\\n- City: Oslo", ["City"], "City", "Bergen")
    '## Salary\\n\\nSkipped\\n\\n## City\\n\\nBergen'
    """
    key = fold_name(name)
    is_topic = key in map(fold_name, topics)
    kept: list[tuple[str, str]] = []
    put = False
    for section in list_sections(profile, topics):
        level, lines = section.level, section.lines
        if section.key == key:
            lines = () if put else tuple(_deepen(text, level or _LEVEL).splitlines())
            put = True
        elif is_topic and list_labelled(section):
            lines = tuple(line for line in lines if not _is_labelled(line, key))
        body = "\n".join(lines).strip()
        if body or section.key != key:
            kept.append((f"{'#' * level} {section.name}" if level else "", body))
    if not put and text.strip():
        new = (f"{'#' * _LEVEL} {name}", _deepen(text, _LEVEL))
        at = next((n for n, (head, _) in enumerate(kept) if head.endswith(ADDED)), len(kept))
        kept.insert(at, new)
    return "\n\n".join(part for section in kept for part in section if part)


def _deepen(text: str, level: int) -> str:
    """Return a section's text whose own headings are deeper than the section's."""
    deeper = "#" * (level + 1) if level < _DEEPEST else ""
    return "\n".join(
        f"{deeper} {heading[2]}".strip()
        if (heading := _HEADING.match(line)) and len(heading[1]) <= level
        else line
        for line in text.strip().splitlines()
    )


def _is_labelled(line: str, key: str) -> bool:
    label = _LABEL.match(line)
    return bool(label and label[2].strip() and fold_name(label[1]) == key)


def fold_name(name: str) -> str:
    """Fold a heading or topic for comparison: `**Work style**` is `work style`."""
    return " ".join(re.findall(r"\w+", name.casefold())) or name.strip(" #")
