"""`bench triage`: how many turns of a tenant need no triage call, as its users talk on.

Users say sentences with names of their own rows; which sentence is Zipf's law (the n-th most usual
is said 1/n as often), and a share of turns is said by nobody else ever. Triage is always right. The
turns are in conversations of three; within them other sentences depend on what was said before, and
are never answered from memory.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from collections import Counter
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, cast

from plainloop.agent.base.ids import make_id
from plainloop.agent.base.messages.contents import make_text_message
from plainloop.agent.config.settings import load_settings
from plainloop.agent.config.values import Secret
from plainloop.agent.core.context import RequestContext
from plainloop.agent.core.spec import EntitySpec, FieldSpec, Pack, WorkerSpec
from plainloop.agent.intents.remembered.memory import recall
from plainloop.agent.store.connecting.settings import DatabaseSettings
from plainloop.agent.store.learned.votes import learn
from plainloop.agent.store.opening import connect_store
from plainloop.agent.store.store import Store
from plainloop.agent.types import ChatRequest, Message, Update
from scripts.benchmarks.rig.postgres import scratch_postgres
from scripts.benchmarks.rig.report import print_json, print_table

TENANT: Final = "bench"
MARKS: Final = (100, 1_000, 10_000)
ALONE: Final = 0.15  # of turns: sentences that nobody says twice
FOLLOWING: Final = 0.10  # of turns within a conversation: what it means stands before
PER_CONVERSATION: Final = 3
NAMES: Final = 8  # that a user's rows have
FIELDS: Final = (FieldSpec("name", "name", is_lookup=True),)
ENTITY: Final = EntitySpec("ships", "bench_ships", "id", "ship", ("ship",), FIELDS, str, "name")
PACK: Final = Pack(
    "bench",
    "Bench",
    tuple(WorkerSpec(name, "", "", ()) for name in ("mate", "cook")),
    "mate",
    (),
    (ENTITY,),
)
TABLE: Final = """
create table bench_ships (tenant_id text, user_id text, id int, name text);
grant select, insert on bench_ships to plainloop_app
"""


@dataclass(frozen=True, slots=True)
class Turn:
    """What is said, and what triage says to it."""

    text: str
    update: Update


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="bench triage", description=__doc__)
    parser.add_argument("--turns", type=int, default=10_000, help="of all users together")
    parser.add_argument("--users", type=int, default=50, help="of the tenant")
    parser.add_argument("--sentences", type=int, default=2_000, help="that are said repeatedly")
    parser.add_argument("--json", action="store_true", help="all figures as JSON")
    options = parser.parse_args(argv)
    with scratch_postgres() as url, tempfile.TemporaryDirectory() as folder:
        result = asyncio.run(measure(options, url, folder))
    print_json(result) if options.json else print_result(result)


async def measure(options: argparse.Namespace, url: str, folder: str) -> dict[str, Any]:
    """By number of turns the share without a triage call, overall and of the last tenth; wrong:
    answers that are not triage's; dropped_at: which answer of a poisoned template was its last.
    """
    settings = replace(load_settings({}), data_dir=Path(folder))
    settings = settings.change(DatabaseSettings, url=Secret(url))
    store = await connect_store(settings)
    try:
        async with store.database.connection() as connection:
            await connection.execute(TABLE)
        return await _simulate(options, settings, store)
    finally:
        await store.close()


async def _simulate(options: argparse.Namespace, settings: Any, store: Store) -> dict[str, Any]:
    draw = random.Random(1)
    users = [f"user{n}" for n in range(options.users)]
    async with store.transaction(TENANT) as tx:
        for user in users:
            for n in range(NAMES):
                name = f"{user.title()} Star{n}"
                await tx.execute(
                    "insert into bench_ships values ($1, $2, $3, $4)", TENANT, user, n, name
                )
    weights = list(accumulate(1 / n for n in range(1, options.sentences + 1)))
    free: list[bool] = []
    wrong = 0
    talks: Counter[str] = Counter()
    for n in range(options.turns):
        user = draw.choice(users)
        is_within = talks[user] % PER_CONVERSATION > 0
        talks[user] += 1
        turn = _draw_turn(draw, weights, user, n, is_within)
        answered = await _say(store, settings, user, turn, is_within)
        free.append(answered is not None)
        wrong += answered is not None and not _is_same(answered, turn.update)
    shares = {
        mark: {"all": _share(free[:mark]), "last tenth": _share(free[mark - mark // 10 : mark])}
        for mark in sorted({*MARKS, options.turns})
        if mark <= options.turns
    }
    return {"turns": shares, "wrong": wrong, "dropped_at": await _poison(store, settings)}


def _draw_turn(
    draw: random.Random, weights: list[float], user: str, n: int, is_within: bool
) -> Turn:
    chance = draw.random()
    if chance < ALONE:
        return Turn(f"tell me tale t{n}", _send_to("mate"))
    if is_within and chance < ALONE + FOLLOWING:
        return Turn("and the other one", _send_to(draw.choice(("mate", "cook"))))
    (kind,) = draw.choices(range(len(weights)), cum_weights=weights)
    if kind % 3 == 0:  # of what people repeat a third is no list, count or look-up
        return Turn(f"do duty w{kind} with {draw.randint(2, 99)} hands", _send_to("cook"))
    name = f"{user.title()} Star{draw.randrange(NAMES)}"
    filters: Any = [{"field": "name", "op": "contains", "value": name}]
    query: Any = {"filters": filters, "order_by": None, "descending": False, "limit": 0}
    update: Update = {"fast_intent": "list", "entity_type": "ships", "query": query}
    return Turn(f"where in w{kind} waters is {name} now", update)


def _send_to(worker: str) -> Update:
    return {"success_criteria": "is right", "result": {"worker": worker}}


async def _say(
    store: Store, settings: Any, user: str, turn: Turn, is_within: bool
) -> Update | None:
    """What memory answered; None where triage was asked, which memory then learns from."""
    learned: list[dict[str, Any]] = []
    ctx = _make_context(store, settings, user, learned)
    asked: Message = make_text_message("user", turn.text)
    request = ChatRequest("", [asked] * (3 if is_within else 1))
    memory = await recall(asked, request, ctx, is_reply=False, is_settled=False)
    if memory.answer is None:
        await memory.learn(turn.update, ctx)
    if learned:
        async with store.transaction(TENANT) as tx:
            await learn(tx, learned)
    return None if memory.answer is None else memory.use(asked, request, ctx)[0]


def _make_context(
    store: Store, settings: Any, user: str, learned: list[dict[str, Any]]
) -> RequestContext:
    """What memory asks of a run. learned: takes what a step would store."""
    parts = SimpleNamespace(
        tenant_id=TENANT,
        user_id=user,
        thread_id=make_id(),
        run=SimpleNamespace(run_id=make_id(), templates=None),
        pack=PACK,
        store=store,
        settings=settings,
        limits=settings.limits,
        journal=SimpleNamespace(note=lambda *_: None, avoid=lambda *_: None, learn=learned.append),
        models=SimpleNamespace(resolve=lambda _: SimpleNamespace(provider="any")),
    )
    return cast(RequestContext, parts)


async def _poison(store: Store, settings: Any) -> int:
    """Triage is wrong twice, to two users, then right."""
    wrong, right = (Turn("scrub the deck", _send_to(worker)) for worker in ("cook", "mate"))
    for user in ("user0", "user1"):
        await _say(store, settings, user, wrong, is_within=False)
    uses = 1
    while await _say(store, settings, "user0", right, is_within=False):
        uses += 1
    return uses


def _is_same(answered: Update, said: Update) -> bool:
    if "query" in said:
        return answered.get("query") == said["query"]
    return (answered.get("result") or {}).get("worker") == (said.get("result") or {}).get("worker")


def _share(free: list[bool]) -> float:
    return round(sum(free) / max(1, len(free)), 3)


def print_result(result: dict[str, Any]) -> None:
    rows = [
        [f"{mark:,}", f"{100 * told['all']:.0f} %", f"{100 * told['last tenth']:.0f} %"]
        for mark, told in result["turns"].items()
    ]
    print_table("Turns without a triage call", ["turns", "all", "last tenth"], rows)
    print(f"\n{result['wrong']} answered otherwise than triage would")
    print(f"a poisoned template was dropped at answer number {result['dropped_at']}")
