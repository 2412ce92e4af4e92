"""`/api/system…`: which processes are there, what waits, and is everything in place (admins)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from datetime import UTC, datetime
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from ...agent import __version__
from ...agent.base.text.secrets import cut_keys
from ...agent.core.api import ApiRequest, ApiRoute
from ...agent.core.models import Models
from ...agent.dataclasses import dataclass
from ...agent.doctor.examining import Access, examine, examine_machine
from ...agent.doctor.findings import Finding, Level
from ...agent.mcp.servers import ServerState
from ...agent.store.api import (
    Replica,
    RunCount,
    count_unfinished_runs,
    list_replicas,
    list_unfinished_runs,
)
from ...agent.store.leases import parse_owner
from ...agent.store.records import RunStatus
from ...agent.store.store import Store
from ..http.endpoint import AppContext
from .choosing import check_admin
from .conversations import check_limit
from .showing import to_shape

SYSTEM: Final = "/api/system"
_REFUSAL: Final = "only an administrator can inspect the service"
ReplicaStatus = Literal["ready", "draining", "silent", "command"]


class SystemQuery(Struct, forbid_unknown_fields=True):
    limit: Annotated[int, Meta(ge=1)] = 20  # of the runs that are listed


class ReplicaInfo(Struct):
    """A process that executes runs; `command`: a command-line process, no replica."""

    owner: str  # as runs name it
    host: str
    pid: str
    status: ReplicaStatus
    is_this: bool  # it gives this answer
    started_at: datetime | None  # None, as `seen_at`: of a command it is not known
    seen_at: datetime | None  # its last sign of life
    runs: int  # of the tenant, that it works on


class QueueInfo(Struct):
    """Runs of the tenant that have not ended."""

    queued: int  # behind another one of their conversation
    running: int
    waiting: int  # for a person
    oldest_queued_at: datetime | None
    oldest_running_at: datetime | None
    oldest_waiting_at: datetime | None
    # Of those that run: they wait until this process, which works on so many at once, has a place.
    without_place: int


class UnfinishedRunInfo(Struct):
    run_id: str
    conversation_id: str
    user_id: str
    status: RunStatus
    owner: str | None  # the process that works on it
    attempt: int
    next_node: str | None  # None: before its first step
    created_at: datetime


class SystemInfo(Struct):
    version: str
    at: datetime  # by the clock of the process that answers
    replicas: list[ReplicaInfo]
    queue: QueueInfo
    runs: list[UnfinishedRunInfo]  # the oldest of those that have not ended


class FindingInfo(Struct):
    level: Level
    what: str
    text: str
    todo: str | None  # what to do about it


class DoctorReport(Struct):
    findings: list[FindingInfo]


@dataclass(frozen=True, slots=True)
class SystemRoutes:
    """The routes about the service itself: replicas, queue, doctor."""

    app: AppContext

    def list_routes(self) -> tuple[ApiRoute, ...]:
        return (
            ApiRoute(
                "GET", SYSTEM, self.read, "List replicas, and runs that have not ended (admins)"
            ),
            ApiRoute(
                "GET",
                f"{SYSTEM}/doctor",
                self.examine,
                "Check the installation, and say how to fix problems (admins)",
            ),
        )

    async def read(self, request: ApiRequest, query: SystemQuery) -> SystemInfo:
        """Return replicas, the queue, unfinished runs and the version, for an administrator.

        Raises: AccessDenied.
        """
        check_admin(request, _REFUSAL)
        limit = check_limit(request, query.limit)
        counts = await count_unfinished_runs(request.db)
        replicas = await list_replicas(request.store)
        runs = await list_unfinished_runs(request.db, limit)
        service = self.app.service
        return SystemInfo(
            __version__,
            datetime.now(UTC),
            describe_replicas(replicas, counts, service.owner),
            describe_queue(counts, service.turns.count_waiting(request.tenant_id)),
            [to_shape(UnfinishedRunInfo, run, conversation_id=run.thread_id) for run in runs],
        )

    async def examine(self, request: ApiRequest) -> DoctorReport:
        """Run the doctor's checks inside this process, for an admin. Raises: AccessDenied."""
        check_admin(request, _REFUSAL)
        access = Access(self._open_store, self._load_models, self._load_tool_servers)
        # With this process's own store and models: the findings of a new process would say little
        # about this one.
        findings = [*examine_machine(), *await examine(self.app.settings, access)]
        return DoctorReport(list(describe_findings(findings)))

    def _open_store(self) -> AbstractAsyncContextManager[Store]:
        return nullcontext(self.app.store)

    async def _load_models(self) -> Models:
        return self.app.service.models

    async def _load_tool_servers(self) -> Sequence[ServerState]:
        return self.app.service.tool_servers.list_states()


def describe_replicas(
    replicas: Sequence[Replica], counts: Sequence[RunCount], own: str
) -> list[ReplicaInfo]:
    """Return the replicas with their numbers of runs, then other processes that execute runs."""
    at_work: Counter[str] = Counter()
    for count in counts:
        if count.owner is not None and count.status == "running":
            at_work[count.owner] += count.runs
    reported = {item.owner: item for item in replicas}
    # Ours may not have told of itself yet.
    owners = dict.fromkeys([*reported, own, *sorted(at_work)])
    return [_describe_process(owner, reported.get(owner), at_work[owner], own) for owner in owners]


def _describe_process(owner: str, replica: Replica | None, runs: int, own: str) -> ReplicaInfo:
    host, pid = parse_owner(owner)
    status: ReplicaStatus = "ready" if replica or owner == own else "command"
    if replica is not None and replica.is_silent:
        status = "silent"
    if replica is not None and replica.is_draining:
        status = "draining"
    return ReplicaInfo(
        owner,
        host,
        pid,
        status,
        is_this=owner == own,
        started_at=replica and replica.started_at,
        seen_at=replica and replica.seen_at,
        runs=runs,
    )


def describe_queue(counts: Sequence[RunCount], without_place: int) -> QueueInfo:
    def add_up(status: RunStatus) -> tuple[int, datetime | None]:
        own = [count for count in counts if count.status == status]
        return sum(count.runs for count in own), min((item.oldest_at for item in own), default=None)

    (queued, queued_at), (running, running_at) = add_up("queued"), add_up("running")
    waiting, waiting_at = add_up("waiting")
    return QueueInfo(queued, running, waiting, queued_at, running_at, waiting_at, without_place)


def describe_findings(findings: Sequence[Finding]) -> Iterator[FindingInfo]:
    """Yield doctor findings for the API, with keys masked and empty subjects filled in."""
    what = ""
    for item in findings:
        what = item.what or what
        # Findings quote settings, and this answer leaves the machine.
        todo = item.todo and cut_keys(item.todo)
        yield FindingInfo(item.level, what, cut_keys(item.text), todo)
