"""What griffe makes of our docstrings: doctests as code, a comment behind a field as its words."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import griffe  # pyright: ignore[reportMissingImports]

DOCTEST = re.compile(r"(?:^[ ]*>{3} .*\n?(?:^(?![ ]*$).*\n?)*)+", re.MULTILINE)
COMMENT = re.compile(r"\s# ([^#]+)$")


class Docstrings(griffe.Extension):
    def on_instance(self, *, obj: griffe.Object, **_: Any) -> None:
        """Called by griffe for each module, class, function and attribute."""
        if obj.docstring is not None:
            told = DOCTEST.sub(_to_code, obj.docstring.value)
            obj.docstring.value = told

    def on_attribute_instance(self, *, attr: griffe.Attribute, **_: Any) -> None:
        """Called by griffe for each field."""
        if attr.docstring is None and attr.lineno and isinstance(attr.filepath, Path):
            line = attr.filepath.read_text(encoding="utf-8").splitlines()[attr.lineno - 1]
            if (found := COMMENT.search(line)) and not found[1].startswith(("pyright", "noqa")):
                attr.docstring = griffe.Docstring(found[1], parent=attr)


def _to_code(found: re.Match[str]) -> str:
    return f"```pycon\n{found[0].rstrip()}\n```\n"
