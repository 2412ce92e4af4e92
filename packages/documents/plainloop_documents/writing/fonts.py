"""Which font can show a text. Fonts are the operator's or the system's: none is in the package."""

from __future__ import annotations

import functools
import importlib.util
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import ConfigError, InputError

# Looked for in this order; the wide ones first, then what many systems have, then East Asia.
FAMILIES: Final = (
    "DejaVuSans.ttf",
    "NotoSans-Regular.ttf",
    "LiberationSans-Regular.ttf",
    "Arial Unicode.ttf",
    "Arial.ttf",
    "arial.ttf",
    "FreeSans.ttf",
    "NotoSansCJK-Regular.ttc",
    "NotoSansCJKsc-Regular.otf",
    "wqy-microhei.ttc",
    "DroidSansFallbackFull.ttf",
    "NotoSansHebrew-Regular.ttf",
    "NotoSansThai-Regular.ttf",
    "NotoSansArabic-Regular.ttf",
    "NotoSansDevanagari-Regular.ttf",
)
MAX_FONT_FILES: Final = 20_000  # looked at
# Scripts whose letters change shape by their neighbours, or are written from the right: without a
# shaping engine they come out as loose letters, or backwards, which is worse than no PDF
# (test_a_pdf_in_a_script_that_cannot_be_shaped_is_refused).
_SHAPED: Final = (
    *((0x0590, 0x05FF), (0xFB1D, 0xFB4F)),
    *((0x0600, 0x08FF), (0x0900, 0x0DFF), (0x0F00, 0x109F), (0x1780, 0x17FF), (0x1800, 0x18AF)),
    *((0xFB50, 0xFDFF), (0xFE70, 0xFEFF)),
)
_SHOWN: Final = 12  # characters in a message


@dataclass(frozen=True, slots=True)
class Font:
    path: Path
    characters: frozenset[int]


def is_core_text(text: str) -> bool:
    """Return whether the fonts that every PDF reader has suffice for a text."""
    try:
        text.encode("cp1252")
    except UnicodeEncodeError:
        return False
    return True


def has_shaping() -> bool:
    """Return whether text of right-to-left and Indic scripts can be written to PDFs."""
    return importlib.util.find_spec("uharfbuzz") is not None


def choose_fonts(text: str, font: str | None) -> list[Font]:
    """Choose fonts that together contain all characters of a text, the main one first.

    font: the operator's file; it is the main one, the system's help it out.

    Raises: InputError naming the characters that no font has, or a script that needs shaping;
    ConfigError when the operator's file is no font.
    """
    wanted = {ord(character) for character in text if character.isprintable()} - {0x20}
    shaped = {code for code in wanted if any(low <= code <= high for low, high in _SHAPED)}
    if shaped and not has_shaping():
        raise InputError(
            f"this server cannot write the script of these characters in a PDF: {_name(shaped)}",
            hint="Export the document as DOCX, or ask the operator to install uharfbuzz.",
            code="SCRIPT_UNSUPPORTED",
        )
    chosen: list[Font] = []
    for item in _iter_fonts(font):
        is_own = font is not None and not chosen
        if is_own or wanted & item.characters:
            chosen.append(item)
            wanted -= item.characters
        if not wanted:
            return chosen
    raise InputError(
        f"no font on this server has the characters {_name(wanted)}",
        hint="Export the document as DOCX, or ask the operator to set AGENT_PDF_FONT "
        "to a font that has them.",
        code="GLYPHS_MISSING",
    )


def _iter_fonts(font: str | None) -> Iterator[Font]:
    """Yield the operator's font, then the system's known ones that can be read."""
    if font is not None:
        yield load_font(Path(font))
    known = find_system_fonts()
    for name in FAMILIES:
        if name in known:
            try:
                yield load_font(known[name])
            except ConfigError:  # a broken file of the system is nobody's fault
                continue


@functools.lru_cache(maxsize=32)
def load_font(path: Path) -> Font:
    """Load a font file's set of characters.

    Raises: ConfigError when the file is no TrueType or OpenType font.
    """
    from fontTools.ttLib import TTFont, TTLibError  # pyright: ignore[reportMissingTypeStubs]

    try:
        with TTFont(path, fontNumber=0, lazy=True) as opened:
            table: Any = opened.getBestCmap()
            return Font(path, frozenset(table or {}))
    except (OSError, TTLibError, ValueError, KeyError) as error:
        raise ConfigError(
            f"AGENT_PDF_FONT: {path} is not a readable TrueType font",
            hint="Set it to the path of a .ttf, .otf or .ttc file.",
        ) from error


@functools.cache
def find_system_fonts() -> dict[str, Path]:
    """Map the names of FAMILIES to the system's font files."""
    # Not `Path.home()`, which raises where a container's user has no entry in its list of users
    # (test_fonts_are_found_by_a_user_without_a_home).
    user = Path(os.path.expanduser("~"))  # noqa: PTH111 - the other raises too
    if sys.platform == "darwin":
        folders = [user / "Library/Fonts", Path("/Library/Fonts"), Path("/System/Library/Fonts")]
    elif sys.platform == "win32":
        folders = [Path(os.environ.get("WINDIR", "C:\\Windows")) / "Fonts"]
    else:
        folders = [user / ".local/share/fonts", user / ".fonts"]
        folders += [Path("/usr/local/share/fonts"), Path("/usr/share/fonts")]
    found: dict[str, Path] = {}
    looked_at = 0
    for folder in folders:
        for root, _, names in os.walk(folder):
            looked_at += len(names)
            for name in set(names).intersection(FAMILIES):
                found.setdefault(name, Path(root) / name)
            if looked_at > MAX_FONT_FILES:
                return found
    return found


def _name(codes: set[int]) -> str:
    """Format characters for an error message, at most `_SHOWN` of them:

    `“ж” (U+0436), “д” (U+0434)`
    """
    shown = [f"“{chr(code)}” (U+{code:04X})" for code in sorted(codes)[:_SHOWN]]
    return ", ".join(shown) + (" …" if len(codes) > _SHOWN else "")
