"""What has to be known of all conversations of a source before the first is replayed."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Final

from plainloop.agent.dataclasses import dataclass, field

from .line_ranges import Line
from .openai_format import parse_conversations
from .thread_recording import Asked, CodePart, list_codes, list_models, parse_recording
from .tool_inference import SeenTools

KEPT_NOTES: Final = 5


@dataclass(slots=True)
class Survey:
    """Says what a run of lines holds. notes: the first of what was mended, `mended` says of how
    much. recordings: how many conversations are whole recordings. models: whom they asked. codes:
    the code that began their runs.
    """

    ids: list[str] = field(default_factory=list[str])
    tools: SeenTools = field(default_factory=SeenTools)
    notes: list[str] = field(default_factory=list[str])
    mended: int = 0
    recordings: int = 0
    models: set[Asked] = field(default_factory=set[Asked])
    codes: set[CodePart] = field(default_factory=set[CodePart])

    def merge(self, later: Survey) -> None:
        """Add the survey `later`, whose lines follow this survey's lines."""
        self.ids += later.ids
        self.tools.merge(later.tools)
        self.notes = [*self.notes, *later.notes][:KEPT_NOTES]
        self.mended += later.mended
        self.recordings += later.recordings
        self.models |= later.models
        self.codes |= later.codes


def survey_lines(lines: Iterable[Line], *, repair: bool) -> Survey:
    """Parse lines, and collect what a replay must know of them.

    These are ids, tools, repairs, models and codes. Raises: InputError that names the line.
    """
    found = Survey()

    def watch() -> Generator[Line]:
        for number, line in lines:
            yield number, line  # its messages are read first: they say best what is wrong with it
            if (recording := parse_recording(line, number)) is not None:
                found.recordings += 1
                found.models |= list_models(recording)
                found.codes |= list_codes(recording)

    for conversation in parse_conversations(watch(), repair=repair):
        found.ids.append(conversation.conversation_id)
        found.tools.add(conversation)
        named = [f"{conversation.conversation_id}, {note}" for note in conversation.repairs]
        found.notes += named[: KEPT_NOTES - len(found.notes)]
        found.mended += len(named)
    return found
