"""A recorded replay's report as one page: no network, no script, no times."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from ..engine.recorded import ConversationReplay
from .live_page import load_templates

SHOWN_DIVERGENCES: Final = 100
SHOWN_SQUARES: Final = 2_000
OUTCOMES: Final = {
    "same": "as recorded, to its end",
    "partial": "as recorded, as far as the recording goes",
    "unanswered": "the recording ends with the question",
    "diverged": "took another way",
    "skipped": "comes after a divergence",
}


@dataclass(slots=True)
class RecordedPage:
    """Collects what of a replay is on the page: of bounded size, however large the replay is."""

    # By conversation: class, id, which divergence of the page is its own.
    _squares: list[tuple[str, str, int | None]] = field(
        default_factory=list[tuple[str, str, int | None]]
    )
    _diverged: list[ConversationReplay] = field(default_factory=list[ConversationReplay])

    def add(self, replay: ConversationReplay) -> None:
        has_diverged = replay.divergence is not None
        is_shown = has_diverged and len(self._diverged) < SHOWN_DIVERGENCES
        if len(self._squares) < SHOWN_SQUARES:
            is_checked = any(turn.outcome in ("same", "partial") for turn in replay.turns)
            kind = "level3" if has_diverged else "" if is_checked else "none"
            place = len(self._diverged) if is_shown else None
            self._squares.append((kind, replay.conversation_id, place))
        if is_shown:
            self._diverged.append(replay)

    def render(self, source: str, totals: Mapping[str, Any]) -> str:
        """Render the page. totals: as in report.json."""
        return (
            load_templates()
            .get_template("recorded.html")
            .render(
                source=source,
                totals=totals,
                outcomes=OUTCOMES,
                squares=self._squares,
                diverged=self._diverged,
            )
        )
