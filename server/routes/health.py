"""`/api/health`: the process is up. `/readyz`: it can write, and takes new work. `/metrics`."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...agent import __version__
from ...agent.errors import StoreError
from ...agent.service.gate import Gate
from ...agent.service.runs import RunHost
from ...agent.store.api import record_replica
from ...agent.store.store import Store
from ..http.endpoint import to_error_response, to_response
from ..observe.logs import ROUTE_KEY


class Health(Struct):
    status: Literal["ok"]
    version: str


class Readiness(Struct, omit_defaults=True):
    status: Literal["ready", "draining", "judging", "refused"]
    differences: tuple[str, ...] = ()  # why it is refused: `pack/design kind node`


class HealthRoutes:
    """Routes for monitoring: without token or rate limit, returning only the state."""

    def __init__(self, store: Store, runs: RunHost, owner: str, gate: Gate) -> None:
        self._store = store
        self._gate = gate
        self._runs = runs
        self._owner = owner

    def list_routes(self, *, is_public: bool = False) -> list[Route]:
        """List the health routes.

        is_public: leave out readiness, which shows details.
        """
        health = Route("/api/health", self.tell_health)
        return [health] if is_public else [health, Route("/readyz", self.tell_readiness)]

    async def tell_health(self, request: Request) -> Response:
        request.scope[ROUTE_KEY] = "/api/health"
        return to_response(Health("ok", __version__))

    async def tell_readiness(self, request: Request) -> Response:
        """Answer whether this replica may receive requests, after a test write to the database.

        A read-only or full database would still answer reads.
        """
        request.scope[ROUTE_KEY] = "/readyz"
        is_draining = self._runs.is_leaving
        try:
            # A write, and this replica's sign of life in one
            # (test_an_unwritable_database_makes_readyz_fail).
            await record_replica(self._store, self._owner, is_draining=is_draining)
        except StoreError as error:
            return to_error_response(error)
        # Before the gate: a draining replica must not be "judging" to its proxy
        # (test_a_draining_replica_reports_it_and_accepts_no_runs).
        if is_draining:
            return to_response(Readiness("draining"), 503)
        if self._gate.state != "ready":
            return to_response(Readiness(self._gate.state, self._gate.differences), 503)
        return to_response(Readiness("ready"))
