"""Selects what a reviewer reads: the answer or its changed lines, and its tool results."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import orjson

from ...types import Message
from ..messages.contents import get_turn
from ..text.cleaning import cut_text, fold
from ..text.foreign_json import as_object
from ..text.tables import compact_json

MATERIAL_CHARS: Final = 6000  # of the turn's tool results that a reviewer sees
WHOLE_SHARE: Final = 0.6  # of an answer: where more was changed, all of it is read again
LITERAL_SHARE: Final = 0.5  # of its words that stand in the material; below, all of it is needed
# Words with the same first letters count as equal ("managed", "managing"), in any language.
_STEM_CHARS: Final = 5
_WORD: Final = re.compile(r"\w{4,}|\d+")


def describe_material(messages: Sequence[Message]) -> str:
    """Format the turn's tool results as text for a review, writing equal results only once."""
    results: dict[str, None] = {}
    parts = (part for message in get_turn(messages) for part in message["parts"])
    for part in parts:
        if part["type"] == "tool_result":
            values = [*as_object(part["result"]).values()]
            # A lone text as it reads, without the escapes of JSON; all else as workers read it.
            is_text = len(values) == 1 and isinstance(values[0], str)
            text = values[0] if is_text else compact_json(orjson.dumps(part["result"]).decode())
            results[f"{part['name']}: {text}"] = None
    return cut_text("\n".join(results), MATERIAL_CHARS) or "(none)"


def list_changed(before: str, after: str) -> str:
    """List the answer's lines that the earlier answer lacks, as text; "" if none or too many.

    >>> list_changed("Dear Ann,\\nI led 50 people in Rome.\\nBye", "Dear Ann,\\nI led 38.\\nBye")
    'I led 38.'
    """
    known = set(before.splitlines())
    changed = "\n".join(line for line in after.splitlines() if line not in known)
    return changed if len(changed) <= WHOLE_SHARE * len(after) else ""


def choose_sources(claim: str, material: str) -> str:
    """Choose the lines of the material that share a word or a number with the claim.
    All of them where it is not said in the material's own words: in another language, say.

    >>> choose_sources("I led 38 people in Rome.", "- led 38 people\\n- baked bread\\nRome, 2020")
    '- led 38 people\\nRome, 2020'
    >>> choose_sources("Ich leitete ein Team.", "- led 38 people\\n- baked bread")
    '- led 38 people\\n- baked bread'
    """
    wanted = _list_stems(claim)
    lines = material.splitlines()
    shared_stems = [(line, wanted & _list_stems(line)) for line in lines]
    literal = set[str]().union(*(shared for _, shared in shared_stems))
    if len(literal) < LITERAL_SHARE * len(wanted):
        return material
    return "\n".join(line for line, shared in shared_stems if shared)


def _list_stems(text: str) -> set[str]:
    return {word[:_STEM_CHARS] for word in _WORD.findall(fold(text))}
