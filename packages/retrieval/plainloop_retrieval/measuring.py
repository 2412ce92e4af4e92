"""How good a search is on questions of which somebody wrote down what answers them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from plainloop.agent.core.seams import RunView
from plainloop.agent.dataclasses import dataclass
from plainloop.agent.errors import InputError
from plainloop.agent.store.database import Row

from .search import merge_ranks, search_meaning, search_words
from .settings import RetrievalSettings
from .source import DocumentSource

SAMPLE: Final = Path(__file__).parent / "sample"


class Question(msgspec.Struct, forbid_unknown_fields=True):
    """A query, and the document that answers it. heading: the last one above the passage."""

    query: str
    document: str
    heading: str | None = None

    def is_answered(self, row: Row) -> bool:
        """Return whether a passage is from the expected document and heading."""
        heading = row["heading"].rpartition(" › ")[2]
        return row["name"] == self.document and self.heading in (None, heading)


@dataclass(frozen=True, slots=True)
class Score:
    """Results of one way of searching: share of answers first, share found, mean 1/rank."""

    way: str
    first: float
    among: float
    reciprocal_rank: float


async def measure(
    ctx: RunView, source: DocumentSource, questions: Sequence[Question]
) -> tuple[list[Score], str]:
    """Score three searches (by words, by meaning, by both) on questions with known answers."""
    most = ctx.settings.get_table(RetrievalSettings).passages
    ranks: dict[str, list[int]] = {"words": [], "meaning": [], "both": []}
    words_alone = ""
    for question in questions:
        by_words = await search_words(ctx, source, question.query)
        by_meaning, words_alone = await search_meaning(ctx, source, question.query)
        found = {
            "words": by_words,
            "meaning": by_meaning,
            "both": merge_ranks([by_words, by_meaning]),
        }
        for way, rows in found.items():
            places = [n for n, row in enumerate(rows[:most], 1) if question.is_answered(row)]
            ranks[way].append(places[0] if places else 0)
    ways = ("words",) if words_alone else tuple(ranks)
    return [add_up(way, ranks[way]) for way in ways], words_alone


def add_up(way: str, places: Sequence[int]) -> Score:
    """Compute a search method's score from the ranks of the right passages.

    Rank 0 means that the passage was not found.

    >>> add_up("words", [1, 2, 0, 1])
    Score(way='words', first=0.5, among=0.75, reciprocal_rank=0.625)
    """
    count = len(places)
    return Score(
        way,
        sum(place == 1 for place in places) / count,
        sum(place > 0 for place in places) / count,
        sum(1 / place for place in places if place) / count,
    )


def load_questions(path: Path) -> list[Question]:
    """Load questions from a JSON Lines file.

    Raises: InputError if it cannot be read.
    """
    try:
        lines = path.read_bytes().splitlines()
        found = [msgspec.json.decode(line, type=Question) for line in lines if line.strip()]
    except (OSError, msgspec.MsgspecError) as error:
        raise InputError(
            f"{path} could not be read as questions: {error}",
            hint="Write one question a line, as a JSON object.",
        ) from error
    if not found:
        raise InputError(
            f"{path} contains no questions", hint="Write one question a line, as a JSON object."
        )
    return found
