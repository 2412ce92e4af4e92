"""What the machine logs for operators: each record's event and fields, whole."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

import pytest

from plainloop.agent.config.settings import Settings
from plainloop.agent.core import loop
from plainloop.agent.core.budget_notices import finish_notices, send_notices
from plainloop.agent.core.loop import Progress, recorded_end
from plainloop.agent.core.observing import observing, tell_call, tell_events
from plainloop.agent.core.state import initialize_state
from plainloop.agent.core.tools import ToolContext, ToolRegistry, execute_tool, tool
from plainloop.agent.errors import ModelOverloaded, StoreError
from plainloop.agent.store.connecting.settings import UsageSettings
from plainloop.agent.store.records import Budget, Notice
from plainloop.agent.store.store import Store
from plainloop.agent.store.transactions import Lag, ReplicaReader
from plainloop.agent.types import FunctionCall
from plainloop.agent.workers.approvals import word_question
from tests.core.model_calls import make_caller
from tests.core.store_samples import make_call_start, make_event, make_settled

STANDARD = {*vars(logging.makeLogRecord({})), "message", "taskName", "asctime"}
Logged = tuple[str, str, bool, dict[str, Any]]
AWAY = "postgresql://localhost:1/none"


@pytest.fixture(autouse=True)
def all_levels(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)


def list_logged(caplog: pytest.LogCaptureFixture) -> list[Logged]:
    """Level, event, whether with a traceback, and the fields of each record of ours."""
    return [
        (
            record.levelname,
            record.getMessage(),
            record.exc_info is not None,
            {key: value for key, value in vars(record).items() if key not in STANDARD},
        )
        for record in caplog.records
        if record.name.startswith("plainloop.")
    ]


def make_call(name: str, **arguments: Any) -> FunctionCall:
    return {"type": "tool_call", "id": "c1", "name": name, "arguments": arguments}


@tool("read", ask=None)
async def explode(tool: ToolContext) -> Any:
    """Raise what no tool should."""
    raise RuntimeError("a bug")


async def test_a_broken_tool_is_logged_with_its_run_and_place(
    store: Store, settings: Settings, caplog: pytest.LogCaptureFixture
):
    ours = await make_caller(store, settings)
    context = ToolContext(ours.ctx, store.read("acme"), {}, "key")
    outcome = await execute_tool(make_call("explode"), explode, context, {"explode": "read"})
    raised = outcome.receipt
    assert raised is not None
    assert raised["raised"] == "RuntimeError: a bug"
    told = {"tool": "explode", "run_id": ours.ctx.run.run_id, **raised}
    assert list_logged(caplog) == [("ERROR", "tool_failed", True, told)]


async def test_a_tools_failing_approval_text_is_logged_and_replaced(
    store: Store, settings: Settings, caplog: pytest.LogCaptureFixture
):
    async def ask(tool: ToolContext) -> str:
        raise RuntimeError("no question")

    ours = await make_caller(store, settings)
    ctx = replace(ours.ctx, tools=ToolRegistry((replace(explode, ask=ask),)))
    assert await word_question(make_call("explode"), {}, ctx) == "explode {}"
    assert list_logged(caplog) == [("ERROR", "question_failed", True, {"tool": "explode"})]


@pytest.mark.parametrize(
    ("error", "is_debug", "logged"),
    [
        (
            ModelOverloaded("in full", status=529, request_id="req_1"),
            False,
            ("WARNING", "model_failed", False, {"code": "MODEL_OVERLOADED", "status": 529}),
        ),
        (
            ModelOverloaded("in full", status=529, request_id="req_1"),
            True,
            (
                *("WARNING", "model_failed", False),
                {
                    "code": "MODEL_OVERLOADED",
                    "status": 529,
                    "reason": "in full",
                    "provider_request_id": "req_1",
                },
            ),
        ),
        (RuntimeError("a bug"), False, ("ERROR", "run_failed", True, {})),
    ],
)
async def test_the_log_record_of_a_failed_run_states_its_error(
    error: Exception,
    is_debug: bool,
    logged: Logged,
    store: Store,
    settings: Settings,
    caplog: pytest.LogCaptureFixture,
):
    caplog.set_level(logging.DEBUG if is_debug else logging.INFO, logger=loop.__name__)
    ours = await make_caller(store, settings)
    with pytest.raises(type(error)):
        async with recorded_end(Progress(initialize_state("hello")), ours.ctx):
            raise error
    *head, fields = logged
    assert list_logged(caplog) == [(*head, {"run_id": ours.ctx.run.run_id, **fields})]


async def test_an_observer_that_raises_is_logged_and_skipped(
    store: Store, settings: Settings, caplog: pytest.LogCaptureFixture
):
    class Broken:
        def see_event(self, run: Any, event: Any) -> None:
            raise RuntimeError("blind")

        def see_call(self, start: Any, settled: Any) -> None:
            raise RuntimeError("blind")

    class Seeing:
        def __init__(self) -> None:
            self.seen: list[Any] = []

        def see_event(self, run: Any, event: Any) -> None:
            self.seen.append((run, event))

        def see_call(self, start: Any, settled: Any) -> None:
            self.seen.append((start, settled))

    ours = await make_caller(store, settings)
    run, event = ours.ctx.run, make_event(1, "node_start", node="worker")
    start = make_call_start(run)
    settled = make_settled(start)
    seeing = Seeing()
    with observing(Broken()), observing(seeing):
        tell_events(run, [event, event])
        tell_call(start, settled)
    tell_events(run, [event])
    assert seeing.seen == [(run, event), (run, event), (start, settled)]
    assert list_logged(caplog) == [("ERROR", "observer_failed", True, {})] * 2


@pytest.mark.parametrize(
    ("url", "reason"),
    [("http://127.0.0.1:1/hook", "ConnectError"), ("http://hooks.example.com:x/", "InvalidURL")],
)
async def test_budget_warnings_and_failing_notifiers_are_logged(
    url: str, reason: str, store: Store, settings: Settings, caplog: pytest.LogCaptureFixture
):
    ours = await make_caller(store, settings)
    usage = replace(settings.get_table(UsageSettings), budget_webhook=url)
    ctx = replace(ours.ctx, settings=settings.with_tables(usage))
    budget = Budget("tenant", "day", 9, None, budget_id="b1")
    send_notices([Notice(budget, "", True, "it is near"), Notice(budget, "", False, "again")], ctx)
    await finish_notices()
    told = {"tenant_id": "acme", "budget_id": "b1", "reason": "it is near"}
    assert list_logged(caplog) == [
        ("WARNING", "budget_notice", False, told),
        ("WARNING", "budget_webhook_failed", False, {"reason": reason}),
    ]
    notice = {"budget_id": "b1", "is_hard": True, "message": "it is near"}
    assert [event["data"] for event in ours.events if event["event"] == "budget"] == [notice]


class FixedReplica:
    """A read replica of which a test writes how far it lags; None: it is away."""

    tenant_id = "acme"

    def __init__(self, *lags: float | None) -> None:
        self.lags = list(lags)

    async def fetchval(self, sql: str, *args: Any) -> Any:
        lag_s = self.lags.pop(0)
        if lag_s is None:
            raise StoreError("the replica is gone")
        return lag_s


async def test_a_read_replicas_lag_is_logged_when_it_begins_and_ends(
    store: Store, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("plainloop.agent.store.transactions.LAG_HOLDS_S", 0.0)
    lag, own = Lag(2.0), store.read("acme")
    replica: Any = FixedReplica(1.0, 2.0, 3.0, 4.0, 1.0)
    assert [await lag.is_late(replica, own) for _ in range(5)] == [False, False, True, True, False]
    assert list_logged(caplog) == [
        ("WARNING", "replica_late", False, {"age_s": 3.0, "most_s": 2.0}),
        ("WARNING", "replica_in_time", False, {"age_s": 1.0, "most_s": 2.0}),
    ]


async def test_reads_use_the_primary_while_the_read_replica_is_unreachable(
    store: Store, caplog: pytest.LogCaptureFixture
):
    replica: Any = FixedReplica(None)
    reader = ReplicaReader(replica, store.read("acme"), Lag(2.0))
    assert await reader.fetchval("select 7") == 7
    told = {"reason": "the replica is gone"}
    assert list_logged(caplog) == [("WARNING", "replica_away", False, told)]


async def test_an_unreachable_read_replica_is_not_tried_by_every_read(
    store: Store, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    replica: Any = FixedReplica(None, None)
    lag = Lag(2.0)
    for _ in range(3):  # of several users
        reader = ReplicaReader(replica, store.read("acme"), lag)
        assert await reader.fetchval("select 7") == 7
    assert (replica.lags, len(list_logged(caplog))) == ([None], 1)

    monkeypatch.setattr(lag, "_away_until", 0.0)  # a while later
    assert await reader.fetchval("select 7") == 7
    assert (replica.lags, len(list_logged(caplog))) == ([], 2)
