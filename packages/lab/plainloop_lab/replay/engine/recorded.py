"""The real engine with every answer from the recording: no network, no tokens."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

from plainloop.agent.base.messages.contents import get_text, seal_messages
from plainloop.agent.config.settings import Limits, Settings
from plainloop.agent.core.loop import run_agent
from plainloop.agent.core.spec import Pack
from plainloop.agent.core.tools import ToolRegistry
from plainloop.agent.dataclasses import dataclass, replace
from plainloop.agent.designs.base import NodeTable
from plainloop.agent.designs.react import build_react_nodes
from plainloop.agent.errors import AgentError
from plainloop.agent.types import NO_OPTIONS, FunctionResponse, Message, RunOptions

from ..sources.conversations import Conversation
from ..sources.recording import RecordedTurn, build_react_turn
from ..sources.tool_schemas import ToolShape
from .closed_store import ClosedStore
from .context import make_replay_context
from .divergence import Diverged, Divergence, RecordingEnded
from .recorded_models import RecordedChat, RecordedModels, make_recorded_tool
from .turn_check import TurnCheck

IMPORTED_TURNS: Final = 10_000  # answers in one recorded turn
INTERNAL_ERROR: Final = "INTERNAL_ERROR"  # with which `core/loop.py` ends a run that raised a bug

# same: as recorded to the end. partial: as recorded, as far as the recording goes. unanswered:
# the recording ends with the question. skipped: after a divergence.
TurnOutcome = Literal["same", "partial", "unanswered", "diverged", "skipped"]
BuildTable = Callable[[Pack], NodeTable]


@dataclass(frozen=True, slots=True)
class TurnReplay:
    """The outcome of a turn's replay.

    path: its nodes; fingerprints: of its model requests. asked: the user's text, of a turn that
    differs.
    """

    outcome: TurnOutcome
    path: tuple[str, ...] = ()
    fingerprints: tuple[str, ...] = ()
    divergence: Divergence | None = None
    asked: str = ""


@dataclass(frozen=True, slots=True)
class ConversationReplay:
    """The outcome of a conversation's replay. left_out: why it could not be replayed at all."""

    conversation_id: str
    turns: tuple[TurnReplay, ...]
    repairs: tuple[str, ...]
    left_out: str | None = None

    @property
    def diverged_turn(self) -> int | None:
        """Return the position of the first turn that diverged, or None."""
        return next((n for n, turn in enumerate(self.turns) if turn.divergence), None)

    @property
    def divergence(self) -> Divergence | None:
        """Return the conversation's first divergence, or None."""
        place = self.diverged_turn
        return None if place is None else self.turns[place].divergence


async def replay_imported(
    conversation: Conversation,
    shapes: Sequence[ToolShape],
    settings: Settings,
    build_table: BuildTable | None = None,
) -> ConversationReplay:
    """Replay an imported conversation under the `react` design, up to its first divergence.

    Its recorded assistant messages are the model's answers, its tool messages the tools' results,
    its system message the prompt. build_table: another node table over the same names, to try a
    change.
    """
    history = seal_messages([], conversation.opening)
    source = ImportedSource(shapes, settings, conversation.system, build_table)
    replays: list[TurnReplay] = []
    has_diverged = False
    for turn in conversation.turns:
        replayed = TurnReplay("skipped")
        if not has_diverged:
            replayed = await source.replay_turn(build_react_turn(turn), history)
            has_diverged = replayed.divergence is not None
        replays.append(replayed)
        history += seal_messages(history, [turn.user, *turn.recorded])
    return ConversationReplay(conversation.conversation_id, tuple(replays), conversation.repairs)


class ImportedSource:
    """Replays turns of another system; what the tools need is built once."""

    def __init__(
        self,
        shapes: Sequence[ToolShape],
        settings: Settings,
        system: str,
        build_table: BuildTable | None = None,
    ) -> None:
        self._settings = replace(settings, limits=lift_limits(settings.limits))
        self._results: dict[str, FunctionResponse] = {}  # of the turn that is replayed
        tools = [make_recorded_tool(shape, self._results) for shape in shapes]
        self._pack = pack = Pack("recorded", "Recorded tools", (), "react", tuple(tools))
        self._registry = ToolRegistry(tools)
        self._table = build_table(pack) if build_table else build_react_nodes(pack, system)
        self._system = system

    async def replay_turn(self, turn: RecordedTurn, history: list[Message]) -> TurnReplay:
        """Replay one turn of an imported conversation after this history."""
        if not turn.steps:
            return TurnReplay("unanswered")
        self._results.clear()
        self._results.update(turn.results)
        check = TurnCheck(turn, history, self._system)
        return await replay_turn(
            turn, history, self._pack, self._table, check, self._settings, tools=self._registry
        )


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
    options: RunOptions = NO_OPTIONS,
) -> TurnReplay:
    """Run one turn through the engine with recorded answers, and compare it with the recording.

    data: the pack's fields before it; prompt_context: what prompts said of the user then; options:
    what the client wished and brought then.
    """
    chat = RecordedChat(turn.answers, check)
    seen = check.see_step, None, check.see_call, chat.read_head
    store, models = ClosedStore(history, data or {}, *seen), RecordedModels(chat)
    ctx = make_replay_context(
        *(store, models, pack, table, settings, len(history)),
        tools=tools,
        prompt_context=prompt_context,
        options=options,
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
        outcome = "partial"  # where it ended so then
        if error.code != turn.error:
            found = _describe_end(check, error.code, error.message)
    except Exception as error:  # noqa: BLE001 - the edge: a bug differs in one conversation
        outcome = "partial"  # as above
        if turn.error != INTERNAL_ERROR:
            found = _describe_end(check, INTERNAL_ERROR, f"{type(error).__name__}: {error}")
    is_limit = store.end is not None and store.end.status == "limit"
    if found is None and store.end is not None and is_limit != turn.ends_by_limit:
        found = _describe_end(check, store.end.error_code, store.end.error_message)
    asked = get_text(turn.user) if found else ""
    told = tuple(check.path), tuple(check.fingerprints), found, asked
    return TurnReplay("diverged" if found else outcome, *told)


def lift_limits(limits: Limits) -> Limits:
    """Return the limits, raised so that they stop no imported conversation."""
    return replace(
        limits,
        react_turns=sys.maxsize,
        worker_turns=IMPORTED_TURNS,
        repeated_calls=sys.maxsize,
        tool_result_tokens=sys.maxsize,
        picture_turns=sys.maxsize,
    )


def _describe_end(check: TurnCheck, code: str | None, message: str | None) -> Divergence:
    ended = {"ended with": code, "message": message}
    return Divergence("end", check.step, check.node, {"ended with": "an answer"}, ended)
