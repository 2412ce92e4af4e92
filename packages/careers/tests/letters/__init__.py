"""Candidates of our own invention, true letters of some, and sentences that are true or false.

`NAME.json`: résumé, profile and job. `NAME.txt`: a whole letter in the prose that language models
write. `sentences.tsv`, a sentence in each line: true or false, whose, the sentence, and the false
claim where its writer named one. Half of them were written without a look at the rules.
"""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent
TODAY = date(2026, 11, 21)


class Candidate(NamedTuple):
    resume: dict[str, Any]
    profile: str
    job: dict[str, Any]


class Sentence(NamedTuple):
    is_true: bool
    name: str
    text: str
    claim: str = ""


CANDIDATES = {
    path.stem: Candidate(**json.loads(path.read_bytes())) for path in FOLDER.glob("*.json")
}
LETTERS = {path.stem: path.read_text("utf-8").strip() for path in FOLDER.glob("*.txt")}
SENTENCES = [
    Sentence(kind == "true", *rest)
    for line in (FOLDER / "sentences.tsv").read_text("utf-8").splitlines()
    for kind, *rest in [line.split("\t")]
]
