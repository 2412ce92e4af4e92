"""A document of any accepted format, told apart by its first bytes. Runs in the child."""

from __future__ import annotations

import codecs
import re
from typing import Any, Final, Literal

from plainloop.agent.base.text.cleaning import clean_text
from plainloop.agent.errors import InputError

from .refusal import Refusal, has_text

Format = Literal["pdf", "docx", "text"]

ACCEPTED: Final = "Accepted: PDF, Word (.docx), HTML, Markdown (.md), plain text (.txt) and JSON."
_PDF_MAGIC: Final = b"%PDF-"
_PDF_MAGIC_WITHIN: Final = 1024  # bytes: what readers of PDF allow before it
ZIP_MAGIC: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")
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
_HEAD_BYTES: Final = 20_000
_UTF16: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_ENCODINGS: Final = (
    "cp1252 cp1250 cp1251 koi8_r koi8_u iso8859_5 cp866 mac_cyrillic cp1253 iso8859_7 cp1255"
    " cp1256 iso8859_6 cp874 shift_jis euc_jp gb18030 euc_kr big5"
).split()
_GUESS_BYTES: Final = 200_000
_FOREIGN: Final = re.compile(rb"[^\x00-\x1f,;]{0,60}[\x80-\xff][^\x00-\x1f,;]{0,200}")
_CENTRAL: Final = re.compile(
    r"[^\W\d_][³¹¿¶¼¾]|[³¹£¼¾][^\W\d_]|ø[ií]|í\w*ø|aø|[^\W\d_]ò\b|ãþ|þã|[a-zâãî]º[a-zâãî]"
)
_POLISH: Final = re.compile(r"(?!.*[áéíú¡]).*¿[a-z]", re.S)  # że, not Spanish
# Such texts in ISO-8859-2, which has no letters at 80 to 9F: letters where cp1250 has signs, or
# Czech, Croatian and Slovenian š and ž, where cp1250 has Polish ą and Slovak ľ.
_WINDOWS: Final = re.compile(rb"[\x80-\x9f]")
_ISO_CENTRAL: Final = re.compile(r"[^\W\d_][±¶]|[^\W\d_][»µ][^\W\d_]")
_ISO_CARON: Final = re.compile(r"(?=.*[ìøùèð])(?!.*[³ê¿ñ]).*(?:[^\W\d_][¹¾]|[¹¾©®][a-zà-ÿ»])", re.S)
# RFC 1468: Japanese between escapes, which are ASCII too.
_JIS: Final = re.compile(rb"\x1b\$[@B]")
# Encodings of Latin letters by what their languages' own letters look like in cp1252: one of
# each first group must be there, and the second be three times as many as the third, of others.
_LATIN: Final = (
    ("cp1254", ("ý",), "ýþðÝÞÐ", "áéíóúæàèëøÁÉÍÓÚÆÀÈËØ"),  # Turkish, not Icelandic
    # Lithuanian, Latvian; not Icelandic, Romanian.
    ("cp1257", ("þð", "àèëøâçîûìï"), "þðàèëøâçîûìïò", "éóúýöãÉÓÚÝÖ"),
    # Croatian, Slovenian, Slovak; not French.
    ("cp1250", ("šžŠŽ", "èÈ"), "šžŠŽèÈæð", "êâîûëïàçù"),
    ("cp1250", ("õ",), "áéíóú", "äãÄÃ"),  # Hungarian; not Estonian, Portuguese
    ("iso8859_15", ("¤",), "¤", ""),  # its sign for the euro
)
# Signs inside a word: ä, é, ü and á of old Macintoshes; ä, ö and é of DOS.
_SIGNS: Final = (
    ("mac_roman", re.compile("[A-Za-z][ŠŽŸ‡][a-z]")),
    ("cp850", re.compile("[A-Za-z][„”‚][a-z]")),
)
_CONTROL: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")


def run(content: bytes, options: dict[str, Any]) -> dict[str, Any]:
    """Read a document to text, as the job of a child process.

    Returns `{"format", "text", "pages", "page_starts"}`. A text file may be HTML. pages: 0 if the
    format has none. page_starts: the offset in the text at which each page begins.

    Raises: Refusal and InputError for each reason why not; whatever a library says of a damaged
    file.
    """
    if not content.strip(b"\x00 \t\r\n\f"):
        raise Refusal("empty")
    kind, name = detect_format(content, options["name"]), options["name"]
    starts: list[int] = []
    if kind == "pdf":
        from . import pdf

        over = options.get("columns_over_pages", False)
        text, starts = pdf.read(content, options["max_pages"], columns_over_pages=over)
    elif kind == "docx":
        from . import archive, word

        found = archive.read(content)
        kind, text = ("docx", word.read(content)) if found is None else ("text", found)
    elif name.lower().endswith((".html", ".htm")) or LOOKS_LIKE_HTML.match(
        content[:_HEAD_BYTES].replace(b"\0", b"").lstrip(b"\xff\xfe")  # it may be in UTF-16
    ):
        from . import page

        # A page that does not name its encoding is in the one of whoever saved it.
        if not page.META_CHARSET.search(content[:_HEAD_BYTES]) and not _find_wide(content):
            content = parse_text(content, name).encode("utf-8", "replace")
        text = clean_text(page.run(content, {"is_document": True})["text"])
        if not has_text(text):
            raise Refusal("no_text")
    else:
        text = parse_text(content, name)
        if not text.strip():  # a mark, NULs and blanks are bytes, but no text
            raise Refusal("empty")
    if kind != "text" and not has_text(text):
        raise Refusal("no_text")
    return {"format": kind, "text": text, "pages": len(starts), "page_starts": starts}


def detect_format(content: bytes, name: str) -> Format:
    """Detect a document's format by its first bytes. name: for error messages.

    Raises: Refusal, InputError for a known other format.
    """
    if _PDF_MAGIC in content[:_PDF_MAGIC_WITHIN]:
        return "pdf"
    if content.startswith(ZIP_MAGIC):
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
    """Decode a text file (UTF-8, UTF-16, ISO-2022-JP or a guessed encoding) to clean text.

    Raises: InputError when it is no text.
    """
    wide = _find_wide(content)
    if wide:
        text = content.decode(wide, "replace")
    elif _JIS.search(content) and content.isascii():
        text = content.decode("iso2022_jp_ext", "replace")
    # A few NULs in a text are dirt; other control characters mean that it is none.
    elif _CONTROL.search(content.replace(b"\0", b"")) or content.count(b"\0") * 20 > len(content):
        raise _make_unsupported(f"{name} is not a text file")
    else:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = content.decode("utf-8-sig", "replace")
            wrong = text.count("\ufffd")
            # A few wrong bytes in UTF-8: a file that was cut, or put together of two. As another
            # encoding all its letters would be wrong (test_a_few_wrong_bytes_in_utf_8_are_replaced)
            if wrong * 10 > sum(character > "\x7f" for character in text) - wrong:
                encoding = guess_encoding(content)
                if encoding is None:
                    raise InputError(
                        f"{name} is in an unknown text encoding",
                        hint="Save the file as UTF-8.",
                        code="FILE_UNSUPPORTED",
                    ) from None
                text = content.decode(encoding, "replace")
    return clean_text(text).replace("\r\n", "\n").replace("\r", "\n").strip("\ufeff")


def _find_wide(content: bytes) -> str | None:
    """Detect UTF-16 by its byte order mark or by zeros in every other byte; None if neither."""
    if content.startswith(_UTF16):
        return "utf-16"
    even, odd = content[:200:2], content[1:200:2]
    if len(odd) < 4:
        return None
    if odd.count(0) > 0.7 * len(odd) and 0 not in even:
        return "utf-16-le"
    return "utf-16-be" if even.count(0) > 0.7 * len(even) and 0 not in odd else None


def guess_encoding(content: bytes) -> str | None:
    """Guess the encoding of a text that is not Unicode; None if no encoding fits.

    >>> guess_encoding("Gasthaus Müller; Köchin; 32.000 €".encode("cp1252"))
    'cp1252'
    """
    from charset_normalizer import from_bytes  # slow to import; few files need it

    # The cells that say something: most of a sheet is ASCII in any encoding.
    pieces = b"\n".join(_FOREIGN.findall(content[:_GUESS_BYTES]))
    runs = re.findall(rb"[\x80-\xff]+", pieces)
    # Latin letters with marks stand alone among others; those of other scripts do not.
    if sum(len(run) > 1 for run in runs) >= 0.2 * len(runs):
        found = from_bytes(pieces, cp_isolation=list(_ENCODINGS), threshold=0.4).best()
        if found is None or found.encoding not in ("cp1250", "cp1252"):
            return found and found.encoding
    # All write nearly the same letters; what only one region has is odd in the others.
    text = pieces.decode("cp1252", "replace")
    is_windows, has_caron = _WINDOWS.search(pieces), _ISO_CARON.match(text)
    is_central = _CENTRAL.search(text) or _POLISH.match(text)
    if is_central or (has_caron and not is_windows):
        is_iso = has_caron or _ISO_CENTRAL.search(text)
        return "iso8859_2" if is_iso and not is_windows else "cp1250"
    for name, signs in _SIGNS:
        if signs.search(text):
            return name
    for name, needed, own, other in _LATIN:
        is_own = sum(map(text.count, own)) > 3 * sum(map(text.count, other))
        if is_own and all(not set(group).isdisjoint(text) for group in needed):
            return name
    return "cp1252" if 10 * text.count("\ufffd") <= sum(map(len, runs)) else None


def _make_unsupported(message: str) -> InputError:
    return InputError(message, hint=ACCEPTED, code="FILE_UNSUPPORTED")
