"""From a file's bytes to clean text, or to a clear word about why not."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from ...base.text import clean_text
from ...config.settings import Limits
from ...errors import InputError
from .process import run_reader

Format = Literal["pdf", "docx", "text"]

ACCEPTED: Final = "Accepted: PDF, Word (.docx), Markdown (.md), plain text (.txt) and JSON."
_PDF_MAGIC: Final = b"%PDF-"
_PDF_MAGIC_WITHIN: Final = 1024  # bytes: what readers of PDF allow before it
_ZIP_MAGIC: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
_OLE_MAGIC: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")
_OTHER_MAGIC: Final = {
    b"{\\rtf": "an RTF document",
    b"\x89PNG": "an image",
    b"\xff\xd8\xff": "an image",
    b"GIF8": "an image",
    b"II*\x00": "an image",
    b"MM\x00*": "an image",
    b"\x1f\x8b": "a compressed file",
    b"Rar!": "a compressed file",
    b"7z\xbc\xaf": "a compressed file",
    b"BZh": "a compressed file",
    b"\xfd7zXZ": "a compressed file",
    b"RIFF": "an image or a recording",
    b"%!PS": "a PostScript document",
    b"\x7fELF": "a program",
    b"MZ": "a program",
}
_UTF16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_CONTROL: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")

# The child's word → (code, what is said of the file, what can be done).
REASONS: Final = {
    "encrypted": (
        "FILE_ENCRYPTED",
        "is protected by a password",
        "Save a copy without a password.",
    ),
    "no_text": (
        "FILE_WITHOUT_TEXT",
        "holds no text, only pictures of it (a scan, perhaps)",
        "Run text recognition over it, or paste the text into a .txt file.",
    ),
    "corrupt": ("FILE_CORRUPT", "is damaged and cannot be read", "Export it again."),
    "too_large": (
        "FILE_TOO_LARGE",
        "is too large once it is unpacked",
        "Export it again without pictures, or as text.",
    ),
    "too_many_pages": ("FILE_TOO_LONG", "has too many pages", "Keep the pages that matter."),
    "timeout": ("FILE_TOO_SLOW", "takes too long to read", "Export it again, or as text."),
    "other_zip": ("FILE_UNSUPPORTED", "is a ZIP file, but no Word document", ACCEPTED),
    "open_document": (
        "FILE_UNSUPPORTED",
        "is an OpenDocument file",
        "Save it as a Word document (.docx) or as PDF.",
    ),
    "macros": (
        "FILE_UNSUPPORTED",
        "is a Word document with macros, or a template",
        "Save it as an ordinary Word document (.docx).",
    ),
    "declarations": (
        "FILE_UNSAFE",
        "declares XML entities, which can read other files and which no word processor writes",
        "Export it again.",
    ),
}


@dataclass(frozen=True, slots=True)
class FileText:
    """A file that was read. pages: 0 where a format has none."""

    format: Format
    text: str
    pages: int = 0


async def read_file(content: bytes, name: str, limits: Limits) -> FileText:
    """The file's text, by its content; the name is for messages only.

    Raises: InputError with a code and a hint of its own for each reason: empty, encrypted, without
    text, damaged, too large unpacked, too many pages, too slow, of another kind.
    """
    kind = detect_format(content, name)
    if kind == "text":
        text = parse_text(content, name)
        if not text.strip():  # a mark, NULs and blanks are bytes, but no text
            raise _make_empty()
        return FileText("text", text)
    result = await run_reader(
        kind, content, timeout_s=limits.upload_parse_s, max_pages=limits.upload_pages
    )
    if "error" in result:
        raise make_refusal(name, str(result["error"]), limits)
    text = clean_text(result["text"]).replace("\r\n", "\n").replace("\r", "\n")
    return FileText(kind, text, result["pages"])


def load_file(source: Path | bytes, max_bytes: int) -> bytes:
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
        raise InputError(
            f"the file is too large: {size_bytes:,} bytes, at most {max_bytes:,}",
            code="FILE_TOO_LARGE",
        )
    assert isinstance(source, bytes)
    if not source.strip(b"\x00 \t\r\n\f"):
        raise _make_empty()
    return source


def detect_format(content: bytes, name: str) -> Format:
    """By the first bytes, never by the name.

    Raises: InputError naming the accepted formats for a known other one.
    """
    if _PDF_MAGIC in content[:_PDF_MAGIC_WITHIN]:
        return "pdf"
    if content.startswith(_ZIP_MAGIC):
        return "docx"
    if content.startswith(_OLE_MAGIC):
        if _OLE_ENCRYPTED in content:
            raise make_refusal(name, "encrypted")
        raise _make_unsupported(f"{name} is an old Word document (.doc) or the like")
    kind = next((word for magic, word in _OTHER_MAGIC.items() if content.startswith(magic)), None)
    if kind is not None:
        raise _make_unsupported(f"{name} is {kind}, which cannot be read")
    return "text"


def parse_text(content: bytes, name: str) -> str:
    """The file as clean text with `\\n` line ends; UTF-8, UTF-16 with a mark, else Windows-1252.

    Raises: InputError naming the accepted formats when it is no text.
    """
    text = _decode(content)
    if text is None:
        raise _make_unsupported(f"{name} is no text file")
    return clean_text(text).replace("\r\n", "\n").replace("\r", "\n").strip("\ufeff")


def make_refusal(name: str, reason: str, limits: Limits | None = None) -> InputError:
    """The error for one of the words in REASONS."""
    code, said, hint = REASONS.get(reason, REASONS["corrupt"])
    if limits is not None and reason == "too_many_pages":
        said = f"has more than {limits.upload_pages} pages"
    if limits is not None and reason == "timeout":
        said = f"could not be read within {limits.upload_parse_s:g} s"
    return InputError(f"{name} {said}", hint=hint, code=code)


def _make_empty() -> InputError:
    return InputError("the file is empty", hint=ACCEPTED, code="FILE_EMPTY")


def _make_unsupported(message: str) -> InputError:
    return InputError(message, hint=ACCEPTED, code="FILE_UNSUPPORTED")


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
