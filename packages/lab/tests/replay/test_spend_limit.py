"""What a replay's cost limit reserves, and what happens near it."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from packages.lab.tests.replay.sharing import Brain
from packages.lab.tests.replay.test_live import (
    Candidate,
    be_curious,
    load_results,
    load_status,
    write_rooms,
)
from plainloop.agent.base.messages.contents import make_text_message
from plainloop.agent.base.tokens.output_sizes import ENOUGH, UNKNOWN_TOKENS, OutputSizes
from plainloop.agent.config.tables import Limits
from plainloop.agent.providers.pricing import Prices
from plainloop.agent.store.records import CallStart, Reserved
from plainloop.agent.store.store import Store
from plainloop.agent.types import ChatRequest, Usage
from plainloop_lab.live.paid_calls import PaidCalls, PaidChat
from plainloop_lab.live.spend_limit import SpendLimitReached, fit_to_room, update_usual
from plainloop_lab.store.replays import PaidAnswer
from tests.cli.conftest import Command, point_at
from tests.cli.conftest import plainloop as plainloop
from tests.machine.scripted import text
from tests.server.replays import ROOMS
from tests.wire_fixtures import StartWire

WANTED = Reserved(9_000, Decimal("0.09"), 8_000, 100, Decimal("0.00001"))  # $0.01 of it is input


@pytest.mark.parametrize(("room", "tokens"), [("0.05", 4_000), ("0.0111", 110), ("0.002", 100)])
def test_a_reservation_shrinks_to_the_room_but_not_below_the_usual_answer(
    room: str, tokens: int
) -> None:
    fitted = fit_to_room(WANTED, Decimal(room))
    assert fitted.output_tokens == tokens
    assert fitted.cost_usd == Decimal("0.01") + tokens * WANTED.output_usd


def test_a_call_that_waited_for_room_knows_how_long_answers_have_become() -> None:
    """A reservation for the longest answer that was likely before stopped a replay early."""
    sizes = OutputSizes()
    start = replace(START, reserved=replace(WANTED, usual_output=UNKNOWN_TOKENS))
    assert update_usual(start, sizes) == start
    for _ in range(ENOUGH):
        sizes.learn("openai:gpt-4o-mini", "worker", 20)
    waited = update_usual(start, sizes).reserved
    assert waited is not None
    assert waited == replace(WANTED, usual_output=57)
    room = (WANTED.shrink(57).cost_usd or 0) + Decimal("0.00001")
    assert fit_to_room(waited, room).output_tokens == 58
    assert update_usual(replace(START, reserved=None), sizes).reserved is None


async def test_a_small_cost_limit_is_used_up_by_short_answers(
    plainloop: Command, wire_server: StartWire, store: Store, tmp_path: Path
) -> None:
    """The longest answer that a request allows would cost more than the whole limit."""
    server = await wire_server(Candidate(be_curious))
    write_rooms(tmp_path)
    lines = [ROOMS.replace(b'"rooms"', b'"rooms-%d"' % n).strip() for n in range(60)]
    (tmp_path / "rooms.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    source = ("replay", "live", "--from", "rooms.jsonl", "--tools", "tools.json")
    environ = point_at("anthropic", server.base_url)
    done = await plainloop(*source, "--no-baseline", "--max-cost-usd", "0.05", **environ)
    sent = [entry["usage"] for entry in server.requests if entry["usage"]]
    model = server.requests[0]["body"]["model"]
    longest = Usage(output_tokens=Limits().max_output_tokens)
    used = (Usage(one["input_tokens"], 0, 0, one["output_tokens"]) for one in sent)
    costs = [Prices().price("anthropic", model, one).amount for one in (longest, *used)]
    most, *paid = [cost or Decimal(0) for cost in costs]

    assert most > Decimal("0.05")
    assert Decimal("0.045") < sum(paid) <= Decimal("0.05")
    assert (done.code, await load_status(store)) == (6, "stopped")
    assert "was left" in done.err
    results = await load_results(store)
    assert {item.status for item in results} == {"succeeded", "cancelled", "queued"}


async def test_an_answer_that_the_cost_limit_cut_off_is_not_kept() -> None:
    kept: list[PaidAnswer] = []

    async def keep(call: int, answer: PaidAnswer) -> None:
        kept.append(answer)

    async def allow(start: CallStart) -> int:
        return 10

    async def nothing(*_: Any) -> None:
        pass

    brain = Brain(lambda request: replace(text("Room seven is"), stop="length"))
    calls = PaidCalls((), keep, allow, nothing, "k")
    chat = PaidChat(brain, calls)
    start: Any = replace(START, call_id="c")
    calls.note_start(start)
    asked = ChatRequest("You book rooms.", [make_text_message("user", "A room")])
    await chat.generate(asked)
    assert [request.max_tokens for request in brain.requests] == [10]
    assert kept == []
    calls.note_start(start)
    with pytest.raises(SpendLimitReached, match="room for 10 output tokens"):
        await chat.generate(asked)
    assert len(brain.requests) == 1


START = CallStart(
    *("t", "c", "u", None, None, None, "react", "react", "worker", 1, "openai", "gpt-4o-mini"),
    *(100, "f", None, None, None, None),
)
