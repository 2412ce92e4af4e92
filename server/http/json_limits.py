"""What a JSON body may hold: so many values, so deep. Checked in C, before anything is built."""

from __future__ import annotations

import re
from typing import Final

MAX_DEPTH: Final = 100  # encoders of JSON stop at 254, and nothing of ours is deeper
MAX_VALUES: Final = 250_000  # in lists and objects: each costs many times what it takes in a body
_PART_BYTES: Final = 256_000
_OVERLAP_BYTES: Final = 18  # so that what is cut in two is found once
_SPACE: Final = b" \t\r\n"
_NO_BRACKET: Final = bytes(set(range(256)) - set(b"[]{}"))
_ONE_KIND: Final = bytes.maketrans(b"{}", b"[]")  # whether they fit is the decoder's to say
# What Postgres or orjson cannot hold, in its escaped form: rare, so only then the slow way.
_ESCAPED: Final = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")
_LONG_NUMBER: Final = re.compile(rb"[0-9]{19}")


def check_limits(body: bytes) -> bool:
    """Check the size and the depth of a JSON body.

    Returns whether it may hold values that cannot be stored; such a body needs the slow parser.
    Costs about one copy of the body, never a piece per character.
    Raises: ValueError for too many values, or what is nested too deeply.
    """
    # An even number of backslashes escapes nothing behind it; sixteen at once, then by two.
    plain = body.replace(b"\\" * 16, b"").replace(b"\\\\", b"").replace(b'\\"', b"")
    # Counted before the split below, which makes an object of each piece
    # (test_a_request_body_takes_at_most_four_times_its_size_in_memory).
    if plain.count(b'"') > 4 * MAX_VALUES:  # a key and a value have two each
        raise ValueError(f"the JSON has more than {MAX_VALUES:,} values: send less at once")
    # Every second piece: brackets and commas in strings do not count
    # (test_brackets_in_json_strings_do_not_count_as_depth).
    outside = b"".join(plain.split(b'"')[::2]).translate(None, _SPACE)
    values = outside.count(b",") + outside.count(b"[") + outside.count(b"{")
    if values > MAX_VALUES:
        raise ValueError(f"the JSON has more than {MAX_VALUES:,} values: send less at once")
    brackets = outside.translate(_ONE_KIND, _NO_BRACKET)
    for _ in range(MAX_DEPTH):
        rest = brackets.replace(b"[]", b"")  # one level each time, the innermost
        if len(rest) == len(brackets):
            break  # nothing is left, or what is no JSON: the decoder says where
        brackets = rest
    else:
        if brackets:
            raise ValueError(
                f"the JSON is nested more than {MAX_DEPTH} levels deep: use fewer levels"
            )
    return (b"\\u" in body and _has(_ESCAPED, body)) or _has(_LONG_NUMBER, outside)


def _has(pattern: re.Pattern[bytes], text: bytes) -> bool:
    """Return whether the pattern occurs, searching in parts so that other threads run between."""
    # `re` holds the interpreter's lock for a whole search, even in a thread
    # (test_large_bodies_are_parsed_outside_the_event_loop).
    starts = range(0, len(text), _PART_BYTES)
    return any(pattern.search(text, at, at + _PART_BYTES + _OVERLAP_BYTES) for at in starts)
