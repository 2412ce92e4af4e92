"""`/api/runs/{run_id}/summary`: what a run did, in a few sentences made of its steps by rules.

No model writes them: the same run says the same, and costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Final

from ...agent.dataclasses import dataclass
from ...agent.store.records import Approval, CallInfo, RunInfo, StepInfo, ToolCallRecord
from .shapes import PackScreens

_OF_AN_ANSWER: Final = ("worker", "evaluator", "judge")  # roles of the calls that a draft costs


@dataclass(frozen=True, slots=True)
class RunStory:
    """A run's stored records, with its packs' texts for users."""

    run: RunInfo
    steps: Sequence[StepInfo]
    calls: Sequence[CallInfo]
    tools: Sequence[ToolCallRecord]
    approvals: Sequence[Approval]
    packs: Sequence[PackScreens]

    def tell(self) -> Iterator[str]:
        """Describe the run in sentences: failure, route, tools, rejected drafts, approvals."""
        if self.run.error_code:
            reason = self.run.error_message or self.run.error_code
            yield f"The run ended early: {reason.rstrip('.')}."
        if self.run.status == "waiting":
            yield "The run is waiting for an approval."
        yield from self._tell_way()
        yield from self._tell_rejected()
        is_checked = any(call.role == "evaluator" for call in self.calls)
        if is_checked and self.run.status == "succeeded":
            yield "The answer was checked before it was shown."
        for item in self.approvals:
            if item.decided_by:
                why = f": “{item.reason}”" if item.reason else "."
                yield f"“{item.question}” was {item.status} by {item.decided_by}{why}"
            elif item.status == "expired":
                yield f"“{item.question}” was not answered in time, so the call was not made."
        if self.run.attempt > 1:
            yield "A process was lost; its steps were kept."

    def _tell_way(self) -> Iterator[str]:
        workers = _join(self._name(call.node) for call in self.calls if call.role == "worker")
        if workers:
            yield f"The assistant's part that answered: {workers}."
        elif any(step.node.split(".")[-1].startswith("fast_") for step in self.steps):
            yield "The answer was read from your saved data; no model wrote it."
        done = [tool.name for tool in self.tools if tool.status == "succeeded"]
        failed = [tool.name for tool in self.tools if tool.status == "failed"]
        if done:
            yield f"It {_join(map(self._say_done, done))}."
        if failed:
            yield f"It failed to {_join(name.replace('_', ' ') for name in failed)}."

    def _tell_rejected(self) -> Iterator[str]:
        feedbacks = {
            step.n: step.update["feedback"] for step in self.steps if "feedback" in step.update
        }
        ends = [n for n, feedback in feedbacks.items() if feedback]
        if not ends:
            return
        count = "A first draft" if len(ends) == 1 else f"The first {len(ends)} drafts"
        yield f"{count} did not pass the check and was not used: {say_points(feedbacks[ends[0]])}"
        of_answers = (call for call in self.calls if call.role in _OF_AN_ANSWER)
        lost = [call for call in of_answers if call.step is not None and call.step <= ends[-1]]
        part, whole = sum_cost(lost), sum_cost(self.calls)
        if part and whole:
            digits = 4 if part < Decimal("0.1") else 2
            spent = f"The rejected draft{'s' if ends[1:] else ''}, with reading and check, cost"
            yield f"{spent} ${part:.{digits}f}, {part / whole:.0%} of the whole cost."

    def _name(self, node: str) -> str:
        name = node.split(".")[-1]
        known = (pack.words[name] for pack in self.packs if name in pack.words)
        return next(known, name.replace("_", " ").capitalize())

    def _say_done(self, tool: str) -> str:
        known = (pack.tools[tool].did for pack in self.packs if tool in pack.tools)
        did = next(known, None) or f"Used {tool.replace('_', ' ')}"
        return did[0].lower() + did[1:]


def say_points(feedback: str) -> str:
    """Return a review's points as one line.

    >>> say_points("- It names no year.\\n- “Ten people” is not in the file")
    'It names no year. “Ten people” is not in the file.'
    """
    points = [line.removeprefix("- ").strip() for line in feedback.splitlines()]
    return " ".join(point.rstrip(".") + "." for point in points if point)


def sum_cost(calls: Iterable[CallInfo]) -> Decimal | None:
    """Return the sum of the calls' known costs in dollars; None if none is known."""
    known = [Decimal(call.cost_usd) for call in calls if call.cost_usd is not None]
    return sum(known, Decimal()) if known else None


def _join(names: Iterable[str]) -> str:
    """
    >>> _join(["a", "b", "a", "c"])
    'a, b and c'
    """
    *first, last = [*dict.fromkeys(names)] or [""]
    return f"{', '.join(first)} and {last}" if first else last
