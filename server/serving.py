"""A replica from its first listening to its last run: start, serve, drain."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import signal
import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

import uvicorn
from starlette.types import ASGIApp

from ..agent.base.finishing import end_tasks
from ..agent.base.listening import build_url
from ..agent.config.installed import load_entries
from ..agent.config.settings import Settings
from ..agent.core.observing import observing
from ..agent.doctor.model_warnings import list_endings
from ..agent.doctor.providers import check_used, list_used
from ..agent.errors import AgentError, ConfigError
from ..agent.service.gate import load_gate
from ..agent.service.runs import RunHost
from ..agent.service.service import Service
from ..agent.service.titles import Titles
from ..agent.store.connecting.settings import UsageSettings
from ..agent.usage.retention import keep_deleting
from .app import make_app, make_machine_app
from .auth.identity import Authenticator
from .auth.origins import is_loopback
from .http.endpoint import Host
from .http.protocol import RefusingSocketProtocol, make_protocol
from .observe.descriptors import allow_descriptors, watch_descriptors
from .observe.metrics import Metrics
from .observe.token_metrics import TokenMetrics
from .observe.tracing import Traces
from .settings import ServerLimits

logger = logging.getLogger(__name__)

# Short, since the drain ended the streams; a client that holds a connection must not hold up a
# deploy.
CLOSE_S: Final = 2  # for answers that are on their way when the last run has ended


class Replica:
    """One process's server. `serve` returns when it was stopped and its runs are handed back."""

    def __init__(
        self,
        service: Service,
        listener: socket.socket,
        health_listener: socket.socket | None = None,
    ) -> None:
        """Prepare to serve on the listener. health_listener: where machines ask for health and
        numbers; None: where all do.
        """
        self._service = service
        self._listener = listener
        self._health_listener = health_listener
        self._stopping = asyncio.Event()
        self._metrics = Metrics()
        self.gate = load_gate()(service)
        self.runs = RunHost(service)
        made = [make(service) for make in load_entries("hosts").values()]
        titles = Titles(service)
        self.runs.on_answer = titles.begin
        self.hosts: list[Host] = [titles, *(host for host in made if host is not None)]

    @property
    def url(self) -> str:
        return build_url(self._listener)

    def stop(self) -> None:
        """Request a graceful shutdown: the replica drains, then `serve` returns."""
        self._stopping.set()

    async def serve(self, on_ready: Callable[[str], None] | None = None) -> None:
        """Serve until `stop` is called, then drain.

        on_ready: called with the URL once messages are answered; never if this code is refused.
        """
        app = make_app(self._service, self.runs, self._metrics, self.hosts, self.gate)
        server = _Server(build_config(app, self._service.settings))
        await self.gate.prepare()
        self._show_endings()
        with self._observed():
            # Before the first connection: a message that comes while this code is judged must be
            # refused.
            self.runs.is_held = not self.gate.is_ready
            if not self.runs.is_held:
                await self._start_working()
            # Before the judgement, which may take minutes: /readyz has to answer meanwhile, or the
            # platform kills the process.
            serving = asyncio.create_task(server.serve(sockets=[self._listener]))
            health, answering = self._serve_health()
            allow_descriptors(self._service.settings.get_table(ServerLimits).connections)
            watching = asyncio.create_task(watch_descriptors())
            keep = self._service.settings.get_table(UsageSettings)
            deleting = asyncio.create_task(keep_deleting(self._service.store, keep))
            beginning = stopping = None
            try:
                await _wait_until_listening(server, serving)
                if health is not None and answering is not None:
                    await _wait_until_listening(health, answering)
                beginning = asyncio.create_task(self._begin(on_ready))
                stopping = asyncio.create_task(self._stopping.wait())
                ends = {stopping, serving}
                await asyncio.wait({beginning, *ends}, return_when=asyncio.FIRST_COMPLETED)
                if beginning.done():
                    await beginning  # its error ends the process
                await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
            finally:
                await end_tasks(*(task for task in (beginning, stopping) if task is not None))
                deleting.cancel()
                watching.cancel()
                # After the tasks above: a start that continues would claim runs that are then not
                # handed back.
                await self._drain(server, serving)
                if health is not None and answering is not None:
                    health.should_exit = True  # the last one: it has told that we drain
                    await answering

    def _show_endings(self) -> None:
        """Show the shutdown dates of models in use as metrics."""
        settings = self._service.settings
        with contextlib.suppress(AgentError):  # of a role that cannot be used: its call says so
            handles = [handle for _, handle in list_used(self._service.models, settings)]
            self._metrics.show_endings(list_endings(handles, settings))

    def _warn_of_models(self) -> None:
        """Log what is wrong with the models in use. Reading prices takes 0.1 s."""
        with contextlib.suppress(AgentError):
            for finding in check_used(self._service.models, self._service.settings):
                level = logging.INFO if finding.level == "note" else logging.WARNING
                logger.log(level, "%s. %s", finding.text, finding.todo)

    async def _start_working(self) -> None:
        """Start the run host and the other hosts, and accept messages."""
        await self.runs.start()
        for host in self.hosts:
            await host.start()
        self.runs.is_held = False

    async def _begin(self, on_ready: Callable[[str], None] | None) -> None:
        """Have this code judged, then start work and call `on_ready`; refused code does neither."""
        if not self.gate.is_ready:
            await self.gate.judge()
            if not self.gate.is_ready:
                return
            await self._start_working()
        if on_ready is not None:
            on_ready(self.url)
        # In a thread, behind the banner: no first request waits for the price list.
        await asyncio.to_thread(self._warn_of_models)

    def _serve_health(self) -> tuple[_Server | None, asyncio.Task[None] | None]:
        """Serve health on its own listener, if there is one, so that no crowd of clients blocks it.

        Returns the server and its task; (None, None) without such a listener.
        """
        if self._health_listener is None:
            return None, None
        app = make_machine_app(self._service, self.runs, self._metrics, self.gate)
        server = _Server(build_config(app, self._service.settings))
        return server, asyncio.create_task(server.serve(sockets=[self._health_listener]))

    async def _drain(self, server: uvicorn.Server, serving: asyncio.Task[None]) -> None:
        """Drain hosts and runs, while /readyz answers 503; then end the connections."""
        logger.info("draining")
        limits = self._service.settings.get_table(ServerLimits)
        self.runs.is_leaving = True
        try:
            # A proxy that asks /readyz now and then sends requests here until it has asked.
            await asyncio.sleep(limits.leave_s or 0)
            for host in self.hosts:
                await host.drain()
            await self.runs.drain(limits.drain_s)
        finally:
            server.should_exit = True
            await serving
            logger.info("stopped")

    @contextlib.contextmanager
    def _observed(self) -> Any:
        with contextlib.ExitStack() as stack:
            stack.enter_context(observing(self._metrics))
            for otel in (TokenMetrics(), Traces()):
                if otel.is_recording:
                    stack.enter_context(observing(otel))
            yield


async def _wait_until_listening(server: _Server, serving: asyncio.Task[None]) -> None:
    """Wait until the server accepts connections. Raises: what ended it before."""
    waiting = asyncio.create_task(server.is_listening.wait())
    # Either: a server that cannot listen never sets the event, and the process would hang without
    # an error (test_a_replica_that_cannot_listen_ends_with_the_error).
    await asyncio.wait({waiting, serving}, return_when=asyncio.FIRST_COMPLETED)
    await end_tasks(waiting)
    if serving.done():
        await serving


class _Server(uvicorn.Server):
    """uvicorn's server without its signal handlers, because a drain comes first."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.is_listening = asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Any:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.is_listening.set()


@asynccontextmanager
async def stopped_by_signals(replica: Replica) -> AsyncGenerator[None]:
    """Drain the replica at SIGTERM or SIGINT inside the block.

    A second signal ends it at once.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    received: list[int] = []

    def receive(number: int) -> None:
        received.append(number)
        # The second Ctrl-C: the operator does not want to wait for the drain
        # (test_a_draining_replica_serves_until_proxies_notice).
        if len(received) > 1 and task is not None:
            task.cancel()
        replica.stop()

    numbers = (signal.SIGTERM, signal.SIGINT)
    for number in numbers:
        # By the loop: a handler of `signal.signal` does not wake a loop that waits for its sockets.
        loop.add_signal_handler(number, receive, number)
    try:
        yield
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)


def build_config(app: ASGIApp, settings: Settings) -> uvicorn.Config:
    limits = settings.get_table(ServerLimits)
    return uvicorn.Config(
        app,
        http=make_protocol(limits),
        ws=RefusingSocketProtocol,
        ws_max_size=limits.frame_bytes,
        # Each socket would hold a compressor's window of 32 kB and more, for frames of a few bytes.
        ws_per_message_deflate=False,
        limit_concurrency=limits.connections,
        # uvicorn takes whole seconds; rounded down, half a second would be none.
        timeout_keep_alive=math.ceil(limits.idle_s),
        timeout_graceful_shutdown=CLOSE_S,
        # `Replica` starts and drains in its own order: the lifespan would end after the
        # connections.
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        # No client is identified by its address, and a client can write any X-Forwarded-For.
        proxy_headers=False,
    )


def check_binding(settings: Settings, host: str) -> None:
    """Check that a server without authentication listens on loopback only.

    Raises: ConfigError when everybody on the network could be the local user.
    """
    if Authenticator(settings).is_local and not is_loopback(host):
        raise ConfigError(
            f"without authentication, the server can listen on loopback only, not on {host}",
            hint="Set AGENT_AUTH_JWT_SECRET, AGENT_AUTH_JWKS_URL or "
            "AGENT_AUTH_API_KEYS: see docs/run.md.",
        )
