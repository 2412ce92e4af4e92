"""A document of any accepted format, told apart by its first bytes. Runs in the child."""

from __future__ import annotations

import codecs
import re
from typing import Any, Final, Literal

from plainloop.agent.base.text import clean_text
from plainloop.agent.errors import InputError

from .refusal import Refusal, has_text

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
# In its first bytes: a saved page may begin with a mark, an XML head and comments.
LOOKS_LIKE_HTML: Final = re.compile(
    rb"^(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--[^>]{0,2000}?-->\s*){0,5}"
    rb"<(?:!doctype\s+html|html|head|body)\b",
    re.I,
)
_UTF16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_CONTROL: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")


def run(content: bytes, options: dict[str, Any]) -> dict[str, Any]:
    """Return `{"format", "text", "pages", "page_starts"}`; pages: 0 where a format has none.
    page_starts: where in the text each of them begins.

    Raises: Refusal and InputError for each reason why not; whatever a library says of a damaged
    file.
    """
    if not content.strip(b"\x00 \t\r\n\f"):
        raise Refusal("empty")
    kind, name = detect_format(content, options["name"]), options["name"]
    starts: list[int] = []
    if kind == "pdf":
        from . import pdf

        text, starts = pdf.read(content, options["max_pages"])
    elif kind == "docx":
        from . import word

        text = word.read(content)
    else:
        text = parse_text(content, name)
        if not text.strip():  # a mark, NULs and blanks are bytes, but no text
            raise Refusal("empty")
    if kind != "text" and not has_text(text):
        raise Refusal("no_text")
    return {"format": kind, "text": text, "pages": len(starts), "page_starts": starts}


def detect_format(content: bytes, name: str) -> Format:
    """Detect the format by the first bytes, never by the name, which is for messages.

    Raises: Refusal, InputError for a known other format.
    """
    if _PDF_MAGIC in content[:_PDF_MAGIC_WITHIN]:
        return "pdf"
    if content.startswith(_ZIP_MAGIC):
        return "docx"
    if content.startswith(_OLE_MAGIC):
        if _OLE_ENCRYPTED in content:
            raise Refusal("encrypted")
        raise _make_unsupported(f"{name} is an old Word document (.doc) or a similar file")
    kind = next((word for magic, word in _OTHER_MAGIC.items() if content.startswith(magic)), None)
    if kind is not None:
        raise _make_unsupported(f"{name} is {kind}, which cannot be read")
    return "text"


def parse_text(content: bytes, name: str) -> str:
    """The file as clean text with `\\n` line ends; UTF-8, UTF-16 with a mark, else Windows-1252.

    Raises: InputError when it is no text.
    """
    if content.startswith(_UTF16):
        text = content.decode("utf-16", "replace")
    # A few NULs in a text are dirt; other control characters mean that it is none.
    elif _CONTROL.search(content.replace(b"\0", b"")) or content.count(b"\0") * 20 > len(content):
        raise _make_unsupported(f"{name} is not a text file")
    else:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = content.decode("cp1252", "replace")
    return clean_text(text).replace("\r\n", "\n").replace("\r", "\n").strip("\ufeff")


def _make_unsupported(message: str) -> InputError:
    return InputError(message, hint=ACCEPTED, code="FILE_UNSUPPORTED")
