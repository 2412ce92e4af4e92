"""Streamed text, kept until its call ends: a thousand open streams keep a thousand of them."""

from __future__ import annotations


class StreamedText:
    """Collects the pieces of a streamed text in few bytes.

    A list of its pieces takes fifteen times as many: a string of four letters has 53 bytes.

    >>> text = StreamedText()
    >>> text.add("Hel"), text.add("lo")
    (None, None)
    >>> str(text)
    'Hello'
    """

    __slots__ = ("_bytes",)

    def __init__(self) -> None:
        self._bytes = bytearray()

    def __bool__(self) -> bool:
        return bool(self._bytes)

    def __str__(self) -> str:
        return self._bytes.decode("utf-8", "surrogatepass")

    def add(self, piece: str) -> None:
        """Append a piece of the text, lone surrogates as they are."""
        self._bytes += piece.encode("utf-8", "surrogatepass")
