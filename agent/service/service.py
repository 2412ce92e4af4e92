"""Who runs what, when: one `Service` per process, holding store, models, packs and the design.

Edges (terminal, HTTP) talk to it; it makes a run's context and hands it to the machine.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from concurrent.futures import Future
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import orjson

from ..base.copies import replace
from ..base.messages.contents import get_answer, make_user_message, name_files
from ..base.messages.wishes import (
    check_supported,
    get_client_system,
    list_wishes,
    settle_preferences,
    word_ignored,
)
from ..base.text.cleaning import check_message, check_tags, make_title
from ..config.settings import Settings
from ..core.budget_notices import finish_notices
from ..core.context import RequestContext
from ..core.journal import Journal, RunSuspended, Viewer
from ..core.loop import Progress, recorded_end, run_agent
from ..core.models import Models
from ..core.spec import Pack, build_schema_context
from ..core.state import AgentState, initialize_state
from ..core.tools import ToolRegistry
from ..designs.base import (
    HELPING,
    NO_KEYS,
    Design,
    DesignModel,
    NodeTable,
    build_table,
    load_design,
    make_kind_agent,
)
from ..errors import ConfigError, InputError, LimitReached, RunWaiting
from ..intents.remembered.memory import read_message_sentence
from ..mcp.servers import ToolServers
from ..packs.code_parts import NamedParts
from ..packs.tool_finding import narrow_pack
from ..providers.http.clients import close_clients
from ..providers.model_handle import ModelHandle
from ..store.leases import make_owner
from ..store.queue import Claim
from ..store.records import Run, RunInfo, RunStart, ThreadInfo
from ..store.store import Store
from ..store.threads import find_newest_thread, make_interview
from ..types import NO_OPTIONS, Record, RunOptions, RunRequest
from .fetching import ResultPager
from .helpers.calling import HelperCalls
from .host import HostFunctions, ServiceHost
from .live_runs import LiveRuns
from .settings import RequestSettings, RunLimits
from .setup import announce_run, begin_attached_run, load_prompt_context
from .taking import Work, prepare_work
from .threads import KnownThreads
from .turns import Turn, Turns
from .variants import OpenVariant, load_variants
from .watcher import Watcher

LOCAL_TENANT = "local"
LOCAL_USER = "local"


class RunOutcome(Record, frozen=True):
    """An ended run with its final state. `answer`: the text that the user got."""

    run: Run
    state: AgentState
    answer: str


class Service:
    """Executes runs with the store, models, packs and design of one process.
    Made by `opening.open_service`.
    """

    def __init__(
        self,
        settings: Settings,
        store: Store,
        models: Models,
        packs: tuple[Pack, ...],
        parts: Callable[[], Future[NamedParts]] | None = None,
    ) -> None:
        """Keep what a service is made of.

        parts: starts to digest the code, once; None: runs do not keep its parts.
        """
        self.settings = settings
        self.store = store
        self.models = models
        self.packs = packs
        self.owner = make_owner()
        self._code: str | None = None
        self._parts = parts
        self._goes_on: Callable[[Run], Awaitable[bool]] | None = None
        self.design: Design = load_design(settings.agent.design)
        self.tool_servers = ToolServers(settings, packs, store.database)
        self.result_pager = ResultPager(is_on=settings.agent.fetch_more)
        self._equipped: dict[str, tuple[Pack, Pack]] = {}
        self._registries: dict[str, tuple[Pack, ToolRegistry]] = {}
        self.threads = KnownThreads(store)
        limits = settings.get_table(RunLimits)
        self.watcher = Watcher(store, self.owner, limits)
        self.live = LiveRuns(store, self.owner, limits, self.watcher)
        self.turns = Turns(
            settings.get_table(RunLimits).runs_at_once, settings.get_table(RunLimits).keep_alive_s
        )
        self.variants = load_variants()(settings, store)
        working = self.name_code, self.build_run_table, self.prepare, self.execute
        self.helpers = HelperCalls(store, self.live, limits, *working)

    @property
    def code(self) -> str | None:
        """Return the fingerprint of the code that this replica registered; None before that."""
        return self._code

    def join_replicas(
        self, code: str, goes_on: Callable[[Run], Awaitable[bool]] | None = None
    ) -> None:
        """Register this process as a replica that runs the code with this fingerprint.
        goes_on: whether a claimed run can continue here as it began; None: any can.
        """
        self._code, self._goes_on = code, goes_on

    def name_code(self) -> tuple[str | None, str | None]:
        """Return (fingerprint, short name) of the running code, which are stored with each run.
        The first runs wait for it.
        """
        # Blocks where the digest is not done yet: a server awaits `wait_for_parts` before
        # (test_storing_the_code_version_delays_no_other_run).
        return self._code, None if self._parts is None else self._parts().result()[0]

    async def wait_for_parts(self) -> None:
        """Wait until the running code's digest is computed."""
        if self._parts is not None and not (digest := self._parts()).done():
            await asyncio.shield(asyncio.wrap_future(digest))

    @property
    def pack(self) -> Pack:
        """Return the pack that serves chat."""
        return self._equip(self.packs[0])

    def _equip(self, pack: Pack) -> Pack:
        """Return the pack with tools of MCP servers and the service; cached until one changes."""
        merged = self.tool_servers.merge(pack)
        known = self._equipped.get(pack.name)
        if known is None or known[0] is not merged:
            narrow = narrow_pack(merged, self.settings.agent.offered_tools)
            known = self._equipped[pack.name] = (merged, self.result_pager.equip(narrow))
        return known[1]

    @property
    def onboarding_pack(self) -> Pack:
        """Return the pack with the interview. Raises: ConfigError when none has one."""
        name = self.settings.agent.onboarding
        for pack in self.packs:
            is_chosen = pack.onboarding is not None if name is None else pack.is_named(name)
            if is_chosen:
                return pack
        raise ConfigError(
            "no served pack has an onboarding interview",
            hint="Set AGENT_ONBOARDING to the name of a pack that has an interview.",
        )

    def get_pack(self, name: str) -> Pack:
        """Return a served pack by its name, with the current tools of its tool servers.

        Raises: ConfigError when it is not served any more.
        """
        for pack in self.packs:
            if pack.name == name:
                return self._equip(pack)
        raise ConfigError(f"the pack {name!r} is not served", hint="Add the pack to AGENT_PACKS.")

    async def ensure_interview(
        self, tenant_id: str, user_id: str, *, begin_new: bool = False
    ) -> ThreadInfo:
        """Return the thread of the user's newest interview, or of a new one."""
        pack = self.onboarding_pack
        open_interview = None
        if not begin_new:
            async with self.store.transaction(tenant_id) as tx:
                open_interview = await find_newest_thread(
                    tx, user_id, pack=pack.name, kind="onboarding"
                )
        return open_interview or await self.store.create_thread(
            tenant_id, user_id, title=name_interview(pack), pack=pack.name, kind="onboarding"
        )

    async def make_interview(
        self, tenant_id: str, user_id: str, thread_id: str
    ) -> ThreadInfo | None:
        """Turn the user's empty chat into an interview and return it; None if it has messages."""
        pack = self.onboarding_pack
        async with self.store.transaction(tenant_id) as tx:
            title = name_interview(pack)
            return await make_interview(tx, user_id, thread_id, pack=pack.name, title=title)

    async def ensure_thread(
        self, tenant_id: str, user_id: str, thread_id: str | None, first_message: str = ""
    ) -> ThreadInfo:
        """Return the user's thread, or a new one with the first message as title.

        Raises: NotFoundError when it is missing or another's.
        """
        if thread_id is not None:
            return await self.store.load_thread(tenant_id, user_id, thread_id)
        title = make_title(first_message)
        made = await self.store.create_thread(
            tenant_id, user_id, title=title, pack=self.pack.name, kind="chat"
        )
        return self.threads.remember(tenant_id, made)

    async def answer(
        self,
        tenant_id: str,
        user_id: str,
        thread_id: str,
        message: str | None,
        viewer: Viewer | None = None,
        options: RunOptions = NO_OPTIONS,
    ) -> RunOutcome:
        """Answer one message in a thread, in the current task; return the run's outcome.

        The thread's kind decides between chat and interview. The message is stored before anything
        else. message None: the agent speaks first.

        Cancelling the task that awaits this ends the run as cancelled, and keeps its text so far.
        Raises: AgentError after the run's end is recorded.
        """
        thread = await self.threads.load(tenant_id, user_id, thread_id)
        start = self.make_start(thread, RunRequest(message, options=options))
        table = self.build_run_table(start, thread.kind)
        return await self._run(table, tenant_id, start, viewer)

    def make_start(self, thread: ThreadInfo, request: RunRequest) -> RunStart:
        """Check a request for a run and build the run's start from it.

        Raises: InputError for a message that is empty or too long, and for an invalid tag;
        ConfigError when an interview's pack is not served any more, or the design is not there.
        """
        if (request.design or "").startswith(HELPING):
            raise InputError(
                f"the design {request.design} is for helpers and cannot be started directly",
                hint="Leave the design out, or name another one.",
            )
        if request.design not in (None, self.design.name):
            # Before anything is stored: the message would stay, and its run keep the thread busy
            # (test_a_message_to_an_unknown_design_is_refused_and_not_stored).
            load_design(request.design)
        message, files = request.message, request.files
        has_words = message is not None and not (files and not message.strip())
        text = check_message(message or "", self.settings.limits.message_chars) if has_words else ""
        tags = check_tags(request.options.tags)
        key, digest = request.idempotency_key, None
        if key is not None:  # what makes two submits the same
            wished = list_wishes(request.options)
            named = text if request.fingerprint is None else request.fingerprint
            body: list[Any] = [thread.thread_id, named, *tags, *files, *wished]
            body += [chosen] if (chosen := request.options.chosen_model) else []
            digest = hashlib.sha256(orjson.dumps(body)).hexdigest()
        user_message = make_user_message(text, files)
        sentence = (
            read_message_sentence(user_message, self.settings) if thread.kind == "chat" else None
        )
        code, parts_name = self.name_code()
        pack = self.pack if thread.kind == "chat" else self.get_pack(thread.pack)
        start = RunStart(
            thread.user_id,
            thread.thread_id,
            user_message,
            request.design or self.design.name,
            pack.name,
            key,
            digest,
            options=replace(request.options, tags=tags),
            position=request.position,
            title=None if thread.title else make_title(text or name_files(files)),
            code=code,
            parts_name=parts_name,
            history_tokens=self.settings.limits.loaded_tokens,
            sentence=(sentence.plain, sentence.opening) if sentence else None,
            prompt_reads=pack.prompt_reads if pack.load_prompt_context else (),
        )
        return replace(start, options=self.settle_options(start.options, start, thread.kind))

    def settle_options(
        self, options: RunOptions, run: Run | RunStart | RunInfo, kind: str
    ) -> RunOptions:
        """Check options against the run's models; copy them with unsupported ones in `ignored`.

        Raises: InputError for a demand that the design hands to no worker, or that one of the
        models does not take that may answer; for a preference, where the settings say so.
        """
        if not list_wishes(options) and not word_ignored(options):
            return options
        refused = self.list_refusals(self.build_run_table(run, kind))
        check_supported(options, refused)
        is_strict = self.settings.get_table(RequestSettings).preferences == "refuse"
        return settle_preferences(options, refused, is_strict=is_strict)

    def list_refusals(self, table: NodeTable) -> dict[str, frozenset[str]] | None:
        """Map the models that a node table may call to the options they do not support.
        None: the design passes options to no model.
        """
        workers = [name for name in table.nodes if f"{name}.tools" in table.nodes]
        handles = [model for name in workers for model in self.models.resolve_chain("worker", name)]
        return {model.label: model.refuses for model in handles} if workers else None

    def build_run_table(self, run: Run | RunStart | RunInfo, kind: str) -> NodeTable:
        """Build a run's node table from the design and pack with which it began.

        Raises: ConfigError when the pack is not served any more, or the design is not there.
        """
        return self.build_design_table(run.design, self.get_pack(run.pack), kind, run.thread_id)

    def build_design_table(
        self, name: str, pack: Pack | None = None, kind: str = "chat", thread_id: str | None = None
    ) -> NodeTable:
        """Build a design's node table for a pack, by default for the pack that serves chat.

        Raises: ConfigError when the design is not there.
        """
        pack = pack or self.pack
        design = self.design if name == self.design.name else load_design(name)
        agent = self.make_agent(thread_id, design, kind, pack)
        return replace(build_table(agent, design.name, pack), pack=pack)

    async def run_table(
        self,
        table: NodeTable,
        tenant_id: str,
        user_id: str,
        thread_id: str,
        message: str | None,
        viewer: Viewer | None = None,
    ) -> RunOutcome:
        """Answer a message with a given node table in the user's thread; return the outcome."""
        thread = await self.threads.load(tenant_id, user_id, thread_id)
        start = self.make_start(thread, RunRequest(message))
        return await self._run(table, tenant_id, start, viewer)

    async def _run(
        self, table: NodeTable, tenant_id: str, start: RunStart, viewer: Viewer | None
    ) -> RunOutcome:
        """Begin a run and execute it in the current task until it ends."""
        lease_s = self.settings.get_table(RunLimits).lease_s
        run = await begin_attached_run(self.store, tenant_id, start, self.owner, lease_s)
        state = await self.execute(Work(run, table, start.message), viewer)
        return RunOutcome(run, state, get_answer(state["messages"]))

    async def prepare(self, claim: Claim) -> Work | None:
        """Load what is needed to continue a claimed run; None if the run was ended instead."""
        attempts = self.settings.get_table(RunLimits).run_attempts
        return await prepare_work(self.store, claim, attempts, self.build_run_table, self._goes_on)

    async def execute(
        self,
        work: Work,
        viewer: Viewer | None = None,
        *,
        is_recoverable: bool = False,
        turn: Turn | None = None,
    ) -> AgentState:
        """Execute a run of this process until it ends or is suspended; return its last state.

        is_recoverable: another process claims it when this one cannot go on. turn: its granted
        slot, which the caller ends. None: it waits for a slot here.

        Raises: RunWaiting when people must approve a tool call; AgentError after the run's end is
        recorded; LeaseLost, StoreError and RunHandedOver when others go on with it.
        """
        run, table = work.run, work.table
        try:
            async with (
                self.live.held(run, viewer, is_recoverable=is_recoverable) as live,
                AsyncExitStack() as own_turn,
            ):
                journal = live.journal
                chosen = run.options.chosen_model
                variant = await self.variants.open(run, self.models, chosen)
                if variant is not None and table.pack is not None:  # else one made in Python
                    table = self._change_table(run, table, variant)
                ctx = self._make_bare_context(run, table, journal, variant)
                nothing = Progress(initialize_state([], {}, table.start))
                # Not timed: the wait for a slot is no part of the run's own time limit.
                async with recorded_end(nothing, ctx, is_timed=False):
                    live.check()
                    if turn is not None:
                        turn.check()
                    # A helper has its caller's: for one of its own it might wait for ever.
                    elif not run.design.startswith(HELPING):
                        await own_turn.enter_async_context(
                            self.turns.hold(journal.tell_place, run.tenant_id)
                        )
                announce_run(ctx, work.shown)
                for note in self.tool_servers.describe(ctx.pack):
                    journal.note(note)
                if variant is not None and chosen is None:
                    journal.note(f"the canary {run.canary_id} answers")
                async with recorded_end(nothing, ctx):
                    ctx = await load_prompt_context(ctx)
                return await run_agent(work.message, ctx)
        except RunSuspended as parked:
            raise RunWaiting(
                f"the run {run.run_id} is waiting for a person's approval",
                hint="`plainloop approve` allows the call, `plainloop approve --deny` "
                "denies it; in a chat, answer yes or no.",
            ) from parked

    def _change_table(self, run: Run, table: NodeTable, variant: OpenVariant) -> NodeTable:
        """Build a chat's node table with a candidate's prompts and design.
        A design that the request names stays.
        """
        pack = variant.variant.change_pack(table.pack or self.get_pack(run.pack))
        is_named = run.design != self.design.name
        name = run.design if is_named else variant.variant.design or run.design
        agent = self.make_agent(run.thread_id, load_design(name))
        return replace(build_table(agent, name, pack), pack=pack)

    def _make_bare_context(
        self, run: Run, table: NodeTable, journal: Journal, variant: OpenVariant | None = None
    ) -> RequestContext:
        """Build a run's context without the pack's prompt text."""
        pack = table.pack or self.get_pack(run.pack)
        settings = variant.settings if variant else self.settings
        tools = self.get_registry(pack)
        return RequestContext(
            thread_id=run.thread_id,
            tenant_id=run.tenant_id,
            schema_context=build_schema_context(pack.entities),
            tools=tools.extend(run.options.client_tools, get_client_system(run.options)),
            user_id=run.user_id,
            run=run,
            pack=pack,
            prompt_context="",
            nodes=self.helpers.equip(self.variants.select(table.nodes, pack, settings), pack),
            start_node=table.start,
            store=self.store,
            models=variant.models if variant else self.models,
            journal=journal,
            emit=journal.emit,
            limits=self.settings.limits,
            settings=settings,
        )

    @asynccontextmanager
    async def open_context(
        self, pack: Pack, tenant_id: str, user_id: str
    ) -> AsyncGenerator[RequestContext]:
        """Open a context for model calls outside any run. Only the ledger records them."""
        # Its ids are empty, and nothing is recorded for it.
        run = Run(tenant_id, user_id, "", "", self.owner, 0, 1, self.design.name, pack.name, 0)
        journal = Journal(self.store, run)
        try:
            yield self._make_bare_context(run, NodeTable({}, ""), journal)
        finally:
            await journal.settle_now(tenant_id)

    async def forget_threads(self, thread_ids: Sequence[str]) -> None:
        """Let packs erase their data about these threads that is outside the database."""
        for forget in [pack.forget_thread for pack in self.packs if pack.forget_thread]:
            for thread_id in thread_ids:
                await asyncio.to_thread(forget, self.settings, thread_id)

    def get_registry(self, pack: Pack) -> ToolRegistry:
        """Return the registry of a pack's tools, cached while the pack is unchanged."""
        known = self._registries.get(pack.name)
        if known is None or known[0].tools is not pack.tools:
            known = self._registries[pack.name] = (
                pack,
                ToolRegistry(pack.tools, only_last=self.settings.agent.trusts_only_last),
            )
        return known[1]

    def make_agent(
        self,
        thread_id: str | None = None,
        design: Design | None = None,
        kind: str = "chat",
        pack: Pack | None = None,
    ) -> Any:
        """Create a design's agent for one kind of thread. None selects the configured design.

        pack: the pack of the thread; None: the pack that serves chat.
        """
        get_keys = self.pack.get_agent_keys
        role = "parser" if kind == "parse" else "worker"
        model = self.make_design_model(role, pack=pack and pack.name)
        keys = get_keys(self.settings) if get_keys else NO_KEYS
        return make_kind_agent(design or self.design, kind, model, thread_id, keys)

    def make_design_model(
        self,
        role: str,
        tenant_id: str = LOCAL_TENANT,
        user_id: str = LOCAL_USER,
        pack: str | None = None,
    ) -> DesignModel:
        """Build the model object by which a design calls the model of a role.
        pack: the name of the one that the design sees; None: the one that serves chat.
        """
        handle: ModelHandle = self.models.resolve(role)
        seen = self.pack if pack is None else self.get_pack(pack)
        return DesignModel(handle.provider, handle.model, self.make_host(tenant_id, user_id, seen))

    def make_host(self, tenant_id: str, user_id: str, pack: Pack) -> ServiceHost:
        """Build the object by which a design or a pack's route calls this service."""
        functions = (self.run_table, self.get_registry, self.open_context, self.parse_text)
        return ServiceHost(HostFunctions(self.store, *functions), tenant_id, user_id, pack)

    async def parse_text(
        self, pack: Pack, raw_text: str, tenant_id: str, user_id: str
    ) -> dict[str, Any]:
        """Parse a user's text to the pack's JSON in a recorded run.

        The run has one step; a replay compares a changed parser with its recording.

        Raises: AgentError when it cannot be read, LimitReached.
        """
        thread = await self.store.create_thread(
            tenant_id, user_id, title="a text that was parsed", pack=pack.name, kind="parse"
        )
        message, design = make_user_message(raw_text), self.design.name
        owner = (user_id, thread.thread_id)
        start = RunStart(*owner, message, design, pack.name, parts_name=self.name_code()[1])
        outcome = await self._run(self.build_run_table(start, "parse"), tenant_id, start, None)
        if not outcome.state["done"]:
            raise LimitReached(
                "the text could not be parsed in time",
                hint="Shorten the text, or raise AGENT_LIMITS_RUN_TIMEOUT_S.",
            )
        return orjson.loads(outcome.answer)

    async def close(self) -> None:
        """Stop running runs, then close models and store."""
        # Runs first, as their ends are written to the store; the store last.
        await self.live.close()
        await self.tool_servers.close()
        await finish_notices()
        await close_clients()
        await self.store.close()


def name_interview(pack: Pack) -> str:
    """Return the title of a pack's interviews, such as "Profile interview"."""
    name = pack.onboarding.name if pack.onboarding else pack.name
    return name.replace("_", " ").capitalize()
