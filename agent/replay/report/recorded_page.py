"""A recorded replay's report as one page: no network, no script, no times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, Final

from ...base.text import format_count
from ..engine.recorded import ConversationReplay, TurnReplay
from .live_page import make_document

SHOWN_DIVERGENCES: Final = 100
SHOWN_SQUARES: Final = 2_000
OUTCOMES: Final = {
    "same": "as recorded, to its end",
    "partial": "as recorded, as far as the recording goes",
    "unanswered": "the recording ends with the question",
    "diverged": "took another way",
    "skipped": "comes after a divergence",
}
_LINES: Final = {"+": "ins", "-": "del"}


@dataclass(slots=True)
class RecordedPage:
    """What of a replay is on the page: of bounded size, however large the replay is."""

    _squares: list[str] = field(default_factory=list[str])
    _diverged: list[str] = field(default_factory=list[str])

    def add(self, replay: ConversationReplay) -> None:
        found = replay.divergence is not None
        if len(self._squares) < SHOWN_SQUARES:
            shown = escape(replay.conversation_id)
            place = f' href="#d{len(self._diverged)}"' if found else ""
            is_here = len(self._diverged) < SHOWN_DIVERGENCES
            kind = "level3" if found else "" if _is_checked(replay) else "none"
            link = place if is_here else ""
            self._squares.append(f'<a class="{kind}"{link} title="{shown}"></a>')
        if found and len(self._diverged) < SHOWN_DIVERGENCES:
            self._diverged.append(_render_replay(replay, len(self._diverged)))

    def render(self, source: str, totals: Mapping[str, Any]) -> str:
        """totals: as in report.json."""
        count, diverged = totals["conversations"], totals["diverged"]
        title = f"Recorded replay of {format_count(count, 'conversation')}"
        kind = "verdict worse" if diverged else "verdict"
        shown = min(diverged, SHOWN_DIVERGENCES)
        rest = "" if shown == diverged else f": the first {shown:,} of {diverged:,}"
        sections = (
            f"<h1>{title}</h1>",
            f'<p class="{kind}"><b>{diverged:,}</b> of {count:,} took another way than '
            "their recording.</p>",
            _render_facts(source, totals),
            "<h2>Conversations</h2>",
            '<p class="soft">One square each, in the source\'s order: green as recorded, red '
            "another way, grey nothing to check.</p>",
            f'<div class="strip">{"".join(self._squares)}</div>',
            _render_rest(count),
            f"<h2>Divergences{rest}</h2>" if diverged else "",
            *self._diverged,
        )
        return make_document(title, "\n".join(section for section in sections if section))


def _is_checked(replay: ConversationReplay) -> bool:
    return any(turn.outcome in ("same", "partial") for turn in replay.turns)


def _render_facts(source: str, totals: Mapping[str, Any]) -> str:
    turns = "".join(
        f"<dt>turns {name}</dt><dd>{count:,} · {OUTCOMES[name]}</dd>"
        for name, count in totals["turns"].items()
    )
    mended = totals["repaired"]
    repaired = f"<dt>mended</dt><dd>{format_count(mended, 'conversation')}</dd>" if mended else ""
    return (
        f"<dl><dt>source</dt><dd>{escape(source)}</dd>{turns}{repaired}"
        f"<dt>model answers</dt><dd>{totals['model_calls_from_recording']:,} from the recording · "
        "0 tokens · no network</dd></dl>"
    )


def _render_rest(count: int) -> str:
    more = count - SHOWN_SQUARES
    return f'<p class="soft">{more:,} more in report.json.</p>' if more > 0 else ""


def _render_replay(replay: ConversationReplay, place: int) -> str:
    number = next(i for i, turn in enumerate(replay.turns) if turn.divergence is not None)
    return (
        f'<details open id="d{place}"><summary><b>{escape(replay.conversation_id)}</b>'
        f'<span class="bad">turn {number + 1} of {len(replay.turns)}</span></summary>'
        f'<div class="turn">{_render_divergence(replay.turns[number])}</div></details>'
    )


def _render_divergence(turn: TurnReplay) -> str:
    found = turn.divergence
    if found is None:
        return ""
    path = " → ".join(turn.path) or "(no step)"
    return (
        f"<p>Another {escape(found.kind)} at step {found.step}, <b>{escape(found.node)}</b>; "
        f'the way so far: <span class="soft">{escape(path)}</span></p>'
        f'<pre class="diff">{_render_lines(found.render_diff())}</pre>'
    )


def _render_lines(lines: Sequence[str]) -> str:
    shown: list[str] = []
    for line in lines:
        tag = _LINES.get(line[:1])
        text = escape(line)
        shown.append(f"<{tag}>{text}</{tag}>" if tag else f'<span class="soft">{text}</span>')
    return "\n".join(shown)
