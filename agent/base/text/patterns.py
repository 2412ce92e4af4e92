"""Regular expressions that are compiled at their first use, so that a start does not wait for them.

The tables of errors, of letters and of requests hold hundreds of patterns; most runs need none.
"""

from __future__ import annotations

import re
from typing import Any, cast


class LazyPattern:
    """A regular expression that is compiled at its first use. source: text, flags."""

    def __init__(self, text: str, flags: int) -> None:
        self.source = (text, flags)

    def __getattr__(self, name: str) -> Any:
        # Only for attributes that are not there yet: later uses cost what a pattern's own cost.
        text, flags = self.source
        value = getattr(re.compile(text, flags), name)
        setattr(self, name, value)
        return value


def compile_lazily(text: str, flags: int = 0) -> re.Pattern[str]:
    """Return a regular expression that is compiled at its first use.

    `re.sub` and the like refuse it: call its methods.

    >>> compile_lazily(r"[a-z]+", re.IGNORECASE).findall("One two")
    ['One', 'two']
    """
    return cast(re.Pattern[str], LazyPattern(text, flags))
