"""The real engine with every answer from the recording: no network, no tokens."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from ...base.messages import seal_messages
from ...config.settings import Limits, Settings
from ...core.loop import run_agent
from ...core.spec import Pack
from ...core.tools import ToolRegistry
from ...designs.base import NodeTable
from ...designs.react import build_react_nodes
from ...errors import AgentError
from ...types import FunctionResponse, Message
from ..sources.conversations import Conversation
from ..sources.recording import RecordedTurn, build_react_turn
from ..sources.tool_schemas import ToolShape
from .closed_store import ClosedStore
from .context import make_replay_context
from .divergence import Diverged, Divergence, RecordingEnded
from .recorded_models import RecordedChat, RecordedModels, make_recorded_tool
from .turn_check import TurnCheck

IMPORTED_TURNS: Final = 10_000  # answers in one recorded turn

# same: as recorded to the end. partial: as recorded, as far as the recording goes. unanswered:
# the recording ends with the question. skipped: after a divergence.
TurnOutcome = Literal["same", "partial", "unanswered", "diverged", "skipped"]
BuildTable = Callable[[Pack], NodeTable]


@dataclass(frozen=True, slots=True)
class TurnReplay:
    """Says how a turn's replay ended. path: its nodes; fingerprints: of its model requests."""

    outcome: TurnOutcome
    path: tuple[str, ...] = ()
    fingerprints: tuple[str, ...] = ()
    divergence: Divergence | None = None


@dataclass(frozen=True, slots=True)
class ConversationReplay:
    conversation_id: str
    turns: tuple[TurnReplay, ...]
    repairs: tuple[str, ...]

    @property
    def diverged_turn(self) -> int | None:
        """Return the place of the first turn that took another way; None: none did."""
        return next((n for n, turn in enumerate(self.turns) if turn.divergence), None)

    @property
    def divergence(self) -> Divergence | None:
        place = self.diverged_turn
        return None if place is None else self.turns[place].divergence


async def replay_imported(
    conversation: Conversation,
    shapes: Sequence[ToolShape],
    settings: Settings,
    build_table: BuildTable | None = None,
) -> ConversationReplay:
    """Replay an imported conversation under the `react` design, to its first divergence.

    Its recorded assistant messages are the model's answers, its tool messages the tools' results,
    its system message the prompt. build_table: another node table over the same names, to try a
    change.
    """
    settings = replace(settings, limits=lift_limits(settings.limits))
    history = seal_messages([], conversation.opening)
    results: dict[str, FunctionResponse] = {}  # of the turn that is replayed
    tools = [make_recorded_tool(shape, results) for shape in shapes]
    pack = Pack("recorded", "Recorded tools", (), "react", tuple(tools))
    registry = ToolRegistry(tools)  # of all turns: what is built of the schemas is built once
    table = build_table(pack) if build_table else build_react_nodes(pack, conversation.system)
    replays: list[TurnReplay] = []
    has_diverged = False
    for turn in conversation.turns:
        replayed = TurnReplay("skipped" if has_diverged else "unanswered")
        if turn.recorded and not has_diverged:
            recorded = build_react_turn(turn)
            results.clear()
            results.update(recorded.results)
            check = TurnCheck(recorded, history, conversation.system)
            replayed = await replay_turn(
                recorded, history, pack, table, check, settings, tools=registry
            )
            has_diverged = replayed.divergence is not None
        replays.append(replayed)
        history += seal_messages(history, [turn.user, *turn.recorded])
    return ConversationReplay(conversation.conversation_id, tuple(replays), conversation.repairs)


async def replay_turn(
    turn: RecordedTurn,
    history: list[Message],
    pack: Pack,
    table: NodeTable,
    check: TurnCheck,
    settings: Settings,
    *,
    tools: ToolRegistry | None = None,
    data: dict[str, Any] | None = None,
    prompt_context: str = "",
) -> TurnReplay:
    """Run one turn through the engine and hold it against its recording.

    data: the pack's fields before it; prompt_context: what prompts said of the user then.
    """
    store = ClosedStore(history, data or {}, check.see_step, on_call=check.see_call)
    models = RecordedModels(RecordedChat(turn.answers, check))
    ctx = make_replay_context(
        *(store, models, pack, table, settings, len(history)),
        tools=tools,
        prompt_context=prompt_context,
    )
    outcome: TurnOutcome = "same"
    found: Divergence | None = None
    try:
        await run_agent(turn.user, ctx)
        found = check.find_missing_steps()
    except Diverged as diverged:
        found = diverged.divergence
    except RecordingEnded:
        # A call beyond the recording: its end when it stops inside the turn, else one too many.
        outcome, found = "partial", check.find_missing_steps()
        if found is None and turn.is_complete:
            asked = len(turn.answers)
            found = Divergence("calls", check.step, check.node, asked, asked + 1)
    except AgentError as error:
        found = _describe_end(check, error.code, error.message)
    is_limit = store.end is not None and store.end.status == "limit"
    if found is None and store.end is not None and is_limit != turn.ends_by_limit:
        found = _describe_end(check, store.end.error_code, store.end.error_message)
    return TurnReplay(
        "diverged" if found else outcome, tuple(check.path), tuple(check.fingerprints), found
    )


def lift_limits(limits: Limits) -> Limits:
    """The limits that the source of an imported conversation did not have."""
    return replace(
        limits,
        react_turns=sys.maxsize,
        worker_turns=IMPORTED_TURNS,
        repeated_calls=sys.maxsize,
        tool_result_tokens=sys.maxsize,
    )


def _describe_end(check: TurnCheck, code: str | None, message: str | None) -> Divergence:
    ended = {"ended with": code, "message": message}
    return Divergence("end", check.step, check.node, {"ended with": "an answer"}, ended)
