"""Who signs a letter: the person of the résumé, and never a heading of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from plainloop.agent.base.text.foreign_json import as_object

from ...resumes.shape import is_document_title
from .sentences import Sentence
from .words import split_words

_LONGEST: Final = 60
_IS_CONTACT: Final = re.compile(r"[@\d\[<{]|://|www\.")


def check_signature(
    sentences: Sequence[Sentence], resume: Mapping[str, Any], profile: str
) -> Iterator[str]:
    """A problem when the line after the closing is a heading, or somebody else's name."""
    signed = next((item.text for item in sentences if item.part == "closing"), "")
    if not signed or len(signed) > _LONGEST or _IS_CONTACT.search(signed):
        return
    if is_document_title(signed):
        yield f"The letter is signed “{signed}”, which is a heading, not a name."
        return
    basics = as_object(resume.get("basics"))
    own = split_words(str(basics.get("name") or ""))
    if own and not {*own, *split_words(profile)} & set(split_words(signed)):
        yield f"The letter is signed “{signed}”, but the résumé belongs to {basics['name']}."
