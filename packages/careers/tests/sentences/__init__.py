"""What people say to the careers tracker, written and labelled without a look at the rules.

A file for each language, a sentence in each line: who understands it, the sentence, what it asks.
`rules`: unmistakable. `triage`: as clear to a person, no rule has its words. `model`: no count, no
list and no look-up, however much it looks like one, so that a fast answer to it is a wrong one.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

Reader = Literal["rules", "triage", "model"]
LANGUAGES = ("english", "french", "german", "spanish")


class Sentence(NamedTuple):
    reader: Reader
    text: str
    label: str  # as `list jobs status=saved by created_at desc limit 3`; "" for a model


@cache
def load_sentences(language: str) -> tuple[Sentence, ...]:
    text = Path(__file__).with_name(f"{language}.tsv").read_text(encoding="utf-8")
    return tuple(Sentence(*line.split("\t")) for line in text.splitlines())  # type: ignore[arg-type]


def list_texts(language: str, reader: Reader) -> list[str]:
    return [item.text for item in load_sentences(language) if item.reader == reader]
