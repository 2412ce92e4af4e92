"""Conversations of then through the code of now: whether a deploy would do the same."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from plainloop.agent.config.settings import Settings
from plainloop.agent.core.spec import Pack
from plainloop.agent.designs.base import load_design
from plainloop.agent.errors import AgentError
from plainloop.agent.packs.code_parts import digest_parts, list_changes, name_changes
from plainloop.agent.store.store import Store
from plainloop_lab.replay.engine.divergence import Divergence
from plainloop_lab.replay.engine.recorded import ConversationReplay, TurnReplay
from plainloop_lab.replay.engine.stored import replay_stored
from plainloop_lab.replay.report.recorded_report import RecordedReport
from plainloop_lab.replay.sources.stored import IMPORTED, StoredThread, StoredTurn, load_stored
from plainloop_lab.replay.sources.thread_recording import CodePart

from ..store.deploys import JudgedThread, list_judged_positions
from .allowed import Allowance
from .aside import rest
from .verdict import Difference, Verdict


async def load_judged(store: Store, place: JudgedThread) -> StoredThread:
    """Load a conversation with only those turns that a deploy check replays.

    Without turns if it was erased meanwhile: half a recording differs from any code.
    """
    try:
        found = await load_stored(store, place.tenant_id, place.thread_id)
    except KeyError:  # of a step whose messages were erased after it was read
        if await list_judged_positions(store, place):
            raise
        return StoredThread(place.thread_id, place.user_id, (), ())
    positions = await list_judged_positions(store, place)  # last: an erased one has none
    return replace(found, turns=tuple(t for t in found.turns if t.position in positions))


class Judge:
    """Replays one conversation after the other; `verdict` says what they come to."""

    def __init__(
        self,
        packs: Mapping[str, Pack],
        settings: Settings,
        allowed: Sequence[Allowance] = (),
        report: RecordedReport | None = None,
    ) -> None:
        self.verdict = Verdict()
        self._packs = packs
        self._settings = settings
        self._allowed = allowed
        self._report = report
        self._found: dict[str, Difference] = {}
        self._seen: set[str] = set()
        self._codes: set[CodePart] = set()

    async def replay(self, thread: StoredThread, turn: StoredTurn) -> TurnReplay:
        """Replay one recorded turn with this process's code, and return the outcome.

        What cannot be replayed because something is missing is a divergence.
        """
        await asyncio.sleep(0)  # whoever asks for /readyz is answered in between
        try:
            if turn.pack != IMPORTED and not hasattr(load_design(turn.design).agent, "build_nodes"):
                return TurnReplay("skipped")
            single = replace(thread, turns=(turn,))
            replayed = await replay_stored(single, self._packs, self._settings)
        except Exception as error:  # noqa: BLE001 - the edge: code that fails is what we look for
            code = error.code if isinstance(error, AgentError) else type(error).__name__
            return _end_with({"ended with": code, "message": str(error)})
        return replayed.turns[0] if replayed.turns else _end_with({"left out": replayed.left_out})

    def count(self, thread: StoredThread, replays: Sequence[TurnReplay]) -> None:
        """Add the results of a conversation's replayed turns to the verdict."""
        self._seen.add(thread.thread_id)
        self.verdict.conversations = len(self._seen)
        if self._report is not None:
            self._report.add(ConversationReplay(thread.thread_id, tuple(replays), ()))
        for turn, replayed in zip(thread.turns, replays, strict=True):
            self._codes.update(turn.codes)
            self.verdict.turns += 1
            self.verdict.unjudged += replayed.outcome == "skipped"
            if replayed.divergence is None:
                continue
            found = replayed.divergence
            head = f"{turn.pack}/{turn.design} {found.kind} {found.node}".rstrip()
            if head in self._found:
                self._found[head].turns += 1
                continue
            self._found[head] = Difference(head, thread.thread_id, self._find_reason(head))
            self.verdict.differences.append(self._found[head])

    def _find_reason(self, head: str) -> str | None:
        return next((item.reason for item in self._allowed if item.fits(head)), None)

    def tell_unseen(self) -> Verdict:
        """Return the verdict, completed with the changed code that no replay ran."""
        today = digest_parts(self._packs.values(), self._settings)
        self.verdict.unseen = [f"but {line}" for line in list_changes(self._codes, today)]
        heads = name_changes(self._codes, today)
        self.verdict.changed = [Difference(head, "", self._find_reason(head)) for head in heads]
        if self._report is not None:
            self._report.unseen = self.verdict.unseen
        return self.verdict


def _end_with(told: dict[str, Any]) -> TurnReplay:
    return TurnReplay("diverged", divergence=Divergence("end", 0, "", {}, told))


async def judge_stored(
    judge: Judge,
    store: Store,
    reading: Store,
    places: Sequence[JudgedThread],
    *,
    rests: bool = False,
) -> Verdict:
    """Judge this code by replaying stored conversations, and return the verdict.

    reading: where ended ones are read; of the others a read replica may not know yet. One that went
    on while it was read is read once more. rests: the database and the machine are others' most of
    the time.
    """
    worked_s = time.thread_time()
    for place in places:
        if rests:
            worked_s = await rest(worked_s)
        thread = await load_judged(store if place.is_open else reading, place)
        replays = [await judge.replay(thread, turn) for turn in thread.turns]
        if place.is_open and any(turn.divergence for turn in replays):
            thread = await load_judged(store, place)
            replays = [await judge.replay(thread, turn) for turn in thread.turns]
        judge.count(thread, replays)
    return judge.verdict
