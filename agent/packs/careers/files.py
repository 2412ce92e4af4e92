"""From a file's bytes to clean text, or to a clear word about why not."""

from __future__ import annotations

import codecs
import json
import re
from pathlib import Path
from typing import Any, Final

import orjson

from agent.core.text import clean_json, clean_text
from agent.errors import InputError

MAX_FILE_BYTES: Final = 2_000_000
ACCEPTED: Final = "Accepted: JSON, Markdown (.md) and plain text (.txt)."

_MAGIC: Final = {
    b"%PDF": "a PDF",
    b"PK\x03\x04": "a DOCX or other ZIP file",
    b"\xd0\xcf\x11\xe0": "an old Word document",
    b"{\\rtf": "an RTF document",
    b"\x89PNG": "an image",
    b"\xff\xd8\xff": "an image",
    b"GIF8": "an image",
    b"\x1f\x8b": "a compressed file",
}
_UTF16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_CONTROL: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")


def load_file(source: Path | bytes, max_bytes: int = MAX_FILE_BYTES) -> bytes:
    """The file's bytes.

    Raises: InputError when it cannot be read, is empty or larger than `max_bytes`.
    """
    if isinstance(source, bytes):
        size_bytes = len(source)
    else:
        try:
            size_bytes = source.stat().st_size
            if size_bytes <= max_bytes:
                source = source.read_bytes()
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise InputError(f"cannot read {source}: {reason}") from error
    if size_bytes > max_bytes:
        raise InputError(f"the file is too large: {size_bytes:,} bytes, at most {max_bytes:,}")
    assert isinstance(source, bytes)
    if not source.strip(b"\x00 \t\r\n\f"):
        raise InputError("the file is empty", hint=ACCEPTED)
    return source


def parse_text(content: bytes, name: str) -> str:
    """The file as clean text with `\\n` line ends; UTF-8, UTF-16 with a mark, else Windows-1252.

    Raises: InputError naming the accepted formats when it is no text.
    """
    kind = next((word for magic, word in _MAGIC.items() if content.startswith(magic)), None)
    if kind is not None:
        later = " PDF and DOCX come with a later version." if "D" in kind else ""
        raise InputError(f"{name} is {kind}, which cannot be read", hint=ACCEPTED + later)
    text = _decode(content)
    if text is None:
        raise InputError(f"{name} is no text file", hint=ACCEPTED)
    return clean_text(text).replace("\r\n", "\n").replace("\r", "\n").strip("\ufeff")


def parse_json(text: str, name: str) -> Any:
    """The JSON value in the text, cleaned.

    Raises: InputError with line and column of the first fault.
    """
    try:
        return clean_json(orjson.loads(text))
    except orjson.JSONDecodeError:
        return _parse_exactly(text, name)


def _parse_exactly(text: str, name: str) -> Any:
    """The standard parser: it says where the fault is, and takes lone surrogates (cleaned here)."""
    try:
        return clean_json(json.loads(text))
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise InputError(f"{name} is no valid JSON: {error.msg} at {place}") from error
    except RecursionError as error:
        raise InputError(f"{name} is no valid JSON: nested too deeply") from error


def _decode(content: bytes) -> str | None:
    if content.startswith(_UTF16):
        return content.decode("utf-16", "replace")
    # A few NULs in a text are dirt; other control characters mean that it is none.
    if _CONTROL.search(content.replace(b"\x00", b"")) or content.count(b"\x00") * 20 > len(content):
        return None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")
