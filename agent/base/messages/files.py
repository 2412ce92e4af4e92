"""Images and documents that a user's message brings: decoded, checked and measured. Pure."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Sequence
from typing import Final, NamedTuple
from urllib.parse import unquote_to_bytes

from ...config.tables import Settings
from ...errors import InputError, PayloadTooLarge, UnsupportedMedia
from ...types import FilePart
from ..text.cleaning import clean_text
from ..tokens.estimate import estimate_tokens
from .settings import FileLimits, FileSettings

PDF: Final = "application/pdf"
_TEXTS: Final = ("text/", "application/json")
_UNSTATED: Final = ("", "application/octet-stream")  # nobody has said what it is
_NO_TEXT: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")  # ESC may colour a log
_TEXT_TYPES: Final = {
    "md": "text/markdown",
    "markdown": "text/markdown",
    "csv": "text/csv",
    "json": "application/json",
}
_MAX_NAME_CHARS: Final = 255
# Vendors scale a larger image down, and count the pixels of what is left.
# Source: platform.claude.com, build-with-claude/vision: width × height / 750.
_MAX_IMAGE_TOKENS: Final = 1_600
_PIXELS_PER_TOKEN: Final = 750
# Source: platform.claude.com, build-with-claude/pdf-support: 1,500 to 3,000 a page.
_PDF_PAGE_TOKENS: Final = 2_000  # its text, and a picture of it
_PDF_PAGE: Final = re.compile(rb"/Type\s*/Page\b")
_PDF_PAGE_BYTES: Final = 50_000  # where the pages cannot be counted from outside
# C4, C8 and CC lie in the range of the frame markers, but begin no frame.
_JPEG_SIZES: Final = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}


class ToldFile(NamedTuple):
    """An uploaded file as a client sends it."""

    data: str  # base64, or a whole `data:` URL
    media_type: str | None = None  # None: the URL or the content tells
    name: str | None = None


def read_files(uploads: Sequence[ToldFile], settings: Settings) -> list[FilePart]:
    """Convert uploaded files to message parts, with their detected types.

    A type is detected by the content first, then by the name.

    Raises: InputError, UnsupportedMedia, PayloadTooLarge.
    """
    max_files = settings.get_table(FileLimits).files_per_message
    if len(uploads) > max_files:
        raise PayloadTooLarge(
            f"a message may have at most {max_files} files",
            hint="Send fewer, or raise AGENT_LIMITS_FILES_PER_MESSAGE.",
        )
    return [_read_file(item, settings) for item in uploads]


def is_text_file(part: FilePart) -> bool:
    """Whether the file can be sent to any model as text."""
    return part["media_type"].startswith(_TEXTS)


def decode_text(part: FilePart) -> str:
    # Editors on Windows put a byte order mark before the text, which models would read.
    return clean_text(base64.b64decode(part["data"]).decode("utf-8-sig", "replace"))


def to_data_url(part: FilePart) -> str:
    return f"data:{part['media_type']};base64,{part['data']}"


def _read_file(upload: ToldFile, settings: Settings) -> FilePart:
    stated, content = _decode(upload, settings.get_table(FileLimits).file_bytes)
    # The content first: clients guess the stated type from the file's name.
    kind = find_media_type(content) or stated.partition(";")[0].strip().lower()
    if kind in _UNSTATED and is_text(content):
        kind = guess_text_type(upload.name or "")
    supported = settings.get_table(FileSettings).file_types
    if kind not in supported:
        named_kind = kind[:80] or "an unknown type"
        hint = f"Supported types: {', '.join(supported) or 'none'}."
        raise UnsupportedMedia(f"files of type {named_kind} are not supported", hint=hint)
    if not kind.startswith(_TEXTS) and find_media_type(content) is None:
        raise UnsupportedMedia(
            f"the file is declared as {kind}, but its content is of another type",
            hint=f"Send the file with its true type, or save it again as {kind}.",
        )
    if kind.startswith(_TEXTS):
        tokens = estimate_tokens(content.decode("utf-8", "replace"))
    elif kind == PDF:
        pages = len(_PDF_PAGE.findall(content)) or len(content) // _PDF_PAGE_BYTES + 1
        tokens = pages * _PDF_PAGE_TOKENS
    else:
        size, tokens = find_image_size(content), _MAX_IMAGE_TOKENS
        if size is not None:
            tokens = max(1, min(tokens, size[0] * size[1] // _PIXELS_PER_TOKEN))
    part = FilePart(
        type="file", media_type=kind, data=base64.b64encode(content).decode(), tokens=tokens
    )
    if name := clean_text(upload.name or "").strip()[:_MAX_NAME_CHARS]:
        part["name"] = name
    return part


def _decode(upload: ToldFile, max_bytes: int) -> tuple[str, bytes]:
    """Return an upload's (stated media type, content). Raises: InputError, PayloadTooLarge."""
    stated, body, is_base64 = upload.media_type or "", upload.data, True
    if body.startswith("data:"):
        head, _, body = body[5:].partition(",")
        stated, is_base64 = stated or head, head.endswith(";base64")
    # URLs are not fetched, not even guarded: a message could make the service read any page with
    # the network address of the service.
    elif body.startswith(("http:", "https:")):
        hint = "Send the file's content as base64, or as a data: URL."
        raise InputError(
            "the file was sent as a web address, which the service does not fetch", hint=hint
        )
    if len(body) > max_bytes * 4:  # even if each byte were escaped
        raise _make_too_large(max_bytes)
    try:
        content = base64.b64decode(body, validate=True) if is_base64 else unquote_to_bytes(body)
    except (binascii.Error, ValueError) as error:
        raise InputError(
            "the file's data is not base64",
            hint="Encode the file's bytes as base64, or use a data: URL.",
        ) from error
    if not content:
        raise InputError("the file is empty", hint="Choose a file with content.")
    if len(content) > max_bytes:
        raise _make_too_large(max_bytes)
    return stated, content


def _make_too_large(max_bytes: int) -> PayloadTooLarge:
    return PayloadTooLarge(
        f"the file is larger than {max_bytes:,} bytes",
        hint="Send a smaller file, or raise AGENT_LIMITS_FILE_BYTES.",
    )


def find_media_type(content: bytes) -> str | None:
    """Detect a file's type by its first bytes; None unless a supported image or a PDF.

    >>> find_media_type(b"%PDF-1.7 ..."), find_media_type(b"hello")
    ('application/pdf', None)
    """
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if content.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if content.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    return PDF if content.startswith(b"%PDF-") else None


def is_text(content: bytes) -> bool:
    """Whether the bytes are UTF-8 text without characters that cannot be stored.

    >>> is_text("Grüße".encode()), is_text(b"PK\\x03\\x04"), is_text(b"\\xff\\xfea")
    (True, False, False)
    """
    if _NO_TEXT.search(content):
        return False
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def guess_text_type(name: str) -> str:
    """Guess a text file's media type from its name.

    >>> guess_text_type("NOTES.MD"), guess_text_type("main.py"), guess_text_type("")
    ('text/markdown', 'text/plain', 'text/plain')
    """
    return _TEXT_TYPES.get(name.lower().rpartition(".")[2], "text/plain")


def find_image_size(content: bytes) -> tuple[int, int] | None:
    """Read an image's width and height in pixels; None if they cannot be read.

    >>> find_image_size(b"GIF89a" + bytes([3, 0, 2, 0]))
    (3, 2)
    """

    def read(start: int, end: int) -> int:
        return int.from_bytes(content[start:end], "little")

    match find_media_type(content):
        case "image/png" if len(content) >= 24:
            return int.from_bytes(content[16:20]), int.from_bytes(content[20:24])
        case "image/gif" if len(content) >= 10:
            return read(6, 8), read(8, 10)
        case "image/webp" if content[12:16] == b"VP8X":
            return read(24, 27) + 1, read(27, 30) + 1
        case "image/webp" if content[12:16] == b"VP8 ":
            return read(26, 28) & 0x3FFF, read(28, 30) & 0x3FFF
        case "image/webp" if content[12:16] == b"VP8L":
            return (read(21, 25) & 0x3FFF) + 1, (read(21, 25) >> 14 & 0x3FFF) + 1
        case "image/jpeg":
            return _find_jpeg_size(content)
        case _:
            return None


def _find_jpeg_size(content: bytes) -> tuple[int, int] | None:
    """Read a JPEG's size from its first frame, skipping segments before it; None without one."""
    place = 2
    while place + 9 <= len(content) and content[place] == 0xFF:
        if content[place + 1] in _JPEG_SIZES:
            height, width = content[place + 5 : place + 7], content[place + 7 : place + 9]
            return int.from_bytes(width), int.from_bytes(height)
        place += 2 + int.from_bytes(content[place + 2 : place + 4])
    return None
