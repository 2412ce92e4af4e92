"""Which model answers a call, beyond role and worker: a table of routes, and a cascade.

Both are policies of a node: it is given other models for one step, by the state as it is then, so
that a run which another process takes up chooses alike. Without either setting nothing is wrapped.

    route table ──row for this request──► the row's model; none, or expired ──► the configured one
    retry ──cascade──► the next model of the chain;  without one ──► the configured one
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from plainloop.agent.config.settings import RoleSettings, Settings
from plainloop.agent.core.context import Node, NodeSpec, RequestContext
from plainloop.agent.core.models import ROLES, list_names
from plainloop.agent.core.seams import ModelSource
from plainloop.agent.core.spec import Pack, WorkerSpec
from plainloop.agent.core.state import END, AgentState, merge_state
from plainloop.agent.errors import ConfigError, InputError
from plainloop.agent.providers.model_handle import ModelHandle
from plainloop.agent.service.variants import split_effort
from plainloop.agent.types import Update

from .features import FEATURES, Asked, is_known, read_feature
from .table import Table, load_table, to_key

Chain = tuple[ModelHandle, ...]


def select_models(nodes: Mapping[str, Node], pack: Pack, settings: Settings) -> Mapping[str, Node]:
    """Wrap nodes to call the models that routing tables and cascades choose.

    The choice depends on the state in which the node is called.
    """
    if not list_tables(settings) and not any(own.cascade for own in settings.agents.values()):
        return nodes
    specs = {spec.name: spec for spec in (*pack.workers, pack.onboarding) if spec}
    return {name: _wrap(node, specs.get(name), settings) for name, node in nodes.items()}


def _wrap(node: Node, spec: WorkerSpec | None, settings: Settings) -> Node:
    check = None
    # What a worker accepts it has accepted with its answer already, in the step itself.
    if spec and not spec.accept and _find_own(settings, "worker", spec.name).cascade:
        check = spec.check

    async def selecting(state: AgentState, ctx: RequestContext) -> tuple[Update, str]:
        asked = Asked("", None, state, ctx.run.options.tags)
        models = SelectedModels(ctx.models, asked, settings, ctx.journal.note)
        update, next_node = await node(state, replace(ctx, models=models))
        if spec and check and next_node == END:
            found = await check(merge_state(state, update), ctx)
            if found.problems:
                ctx.journal.note(f"the check found {len(found.problems)} problems: reviewed")
                return update, f"{spec.name}.evaluator"
        return update, next_node

    is_quiet = isinstance(node, NodeSpec) and not check and node.is_quiet
    return NodeSpec(selecting, is_quiet=is_quiet)


class SelectedModels:
    """The models of one step. asked: of no role yet."""

    def __init__(
        self, models: ModelSource, asked: Asked, settings: Settings, note: Callable[[str], None]
    ) -> None:
        self._models = models
        self._asked = asked
        self._settings = settings
        self._note = note
        self._chosen: dict[tuple[str, str | None], Chain] = {}

    def resolve_chain(self, role: str, worker: str | None = None) -> Chain:
        """Return the models that are chosen for a role and worker.

        The choice is noted once, for `explain`.
        """
        if (role, worker) not in self._chosen:
            self._chosen[role, worker] = self._choose(role, worker)
        return self._chosen[role, worker]

    def resolve(self, role: str, worker: str | None = None) -> ModelHandle:
        return self.resolve_chain(role, worker)[0]

    def _choose(self, role: str, worker: str | None) -> Chain:
        configured = self._models.resolve_chain(role, worker)
        if role == "worker" and (tries := count_retries(self._asked.state)):
            own = _find_own(self._settings, role, worker)
            left = configured[min(tries, len(configured) - 1) :] if own.cascade else configured
            self._note(f"model: {left[0].label}, for retry {tries} of an answer")
            return left
        path = find_table_path(self._settings, role, worker)
        if path is None:
            return configured
        asked = replace(self._asked, role=role, worker=worker)
        routed, why = self._route(path, asked, configured[0])
        self._note(f"model: {(routed or configured)[0].label}, {path.name}: {why}")
        return (*routed, *configured)

    def _route(self, path: Path, asked: Asked, configured: ModelHandle) -> tuple[Chain, str]:
        """Return (the model in the table of routes, why); () keeps the configured model."""
        table = _load_once(path)
        if table.expires and table.expires < f"{datetime.now(UTC):%Y-%m-%d}":
            return (), f"expired {table.expires}"
        if not is_reference(table, configured, self._settings, self._models):
            return (), f"the table was made for {table.reference}"
        key = to_key([read_feature(name, asked) for name in table.by], table.cuts)
        said = " · ".join(key)
        name = table.choose(key)
        if name == table.reference:
            return (), f"no row for {said}"
        found = find_model(name, self._settings, self._models)
        return (found, f"row {said}") if found else ((), f"{name} is not configured")


def count_retries(state: AgentState) -> int:
    """Count how many of this turn's answers failed their review.

    0 outside a retry.
    """
    found: dict[str, Any] = state["result"] or {}
    return len(found.get("verdicts", ())) if state["feedback"] else 0


def find_table_path(settings: Settings, role: str, worker: str | None) -> Path | None:
    """Return the path of the routing table for a role and worker, or None.

    A worker's own settings win over its role's, and both over the top ones, as for models. What was
    learnt of a worker's answers says nothing about those of its evaluator.
    """
    is_top = role == "worker" and worker not in settings.agents
    own = _find_own(settings, role, worker).route_table
    return own or (settings.route_table if is_top else None)


def _find_own(settings: Settings, role: str, worker: str | None) -> RoleSettings:
    names = list_names(role, worker if role == "worker" else None)
    return next((settings.agents[n] for n in names if n in settings.agents), RoleSettings())


def list_tables(settings: Settings) -> dict[Path, Table]:
    """Load the routing tables that settings name, by path.

    Each file is read once per process. Raises: ConfigError for one that cannot be read or used.
    """
    paths = [settings.route_table, *(own.route_table for own in settings.agents.values())]
    tables: dict[Path, Table] = {}
    for path in filter(None, paths):
        try:
            tables[path] = _load_once(path)
        except InputError as error:
            hint = "`plainloop route learn -o` writes a valid table."
            raise ConfigError(error.message, hint=hint) from error
        unknown = [name for name in tables[path].by if not is_known(name)]
        if unknown:
            raise ConfigError(
                f"{path} uses features that are unknown when a model is chosen: "
                f"{', '.join(unknown)}",
                hint="Learn the table again. `--by` accepts "
                f"{', '.join(FEATURES)} and data.<field of the pack>.",
            )
    return tables


_load_once = lru_cache(maxsize=None)(load_table)


def check_selection(settings: Settings, models: ModelSource) -> None:
    """Check that the models of routing tables and cascades are configured.

    Raises: ConfigError for a table whose models are not configured, or which was made for another
    model than the configured one; for a cascade that has nowhere to go.
    """
    tables = list_tables(settings)
    for path, table in tables.items():
        for name in sorted({route.model for route in table.routes} - {table.reference}):
            if not find_model(name, settings, models):
                label, effort = split_effort(name)
                provider, colon, model = label.partition(":")
                raise ConfigError(
                    f"{path} names the model {name}, which is not configured",
                    hint=(
                        "Add, for example, [agents.small] with provider = "
                        f'"{provider}", model = "{model}"'
                        + (f', effort = "{effort}".' if effort else ".")
                    )
                    if colon
                    else (
                        f"Add [agents.{name}] with its provider and model, or write "
                        "provider:model in the table."
                    ),
                )
    for name in (*settings.agents, "worker"):
        role, worker = (name, None) if name in ROLES else ("worker", name)
        path = find_table_path(settings, role, worker)
        if path is None:
            continue
        has, wanted = models.resolve(role, worker), tables[path].reference
        if not is_reference(tables[path], has, settings, models):
            raise ConfigError(
                f"the routing table {path} was made for the model {wanted}, but {name} uses "
                f"{has.label}",
                hint=f"Configure {wanted}, or learn a table for {has.label}.",
            )
    for name, own in settings.agents.items():
        if own.cascade and not own.fallback:
            raise ConfigError(
                f"[agents.{name}] has `cascade`, but no model to continue with",
                hint='Name a stronger model: fallback = ["provider:model"].',
            )


def list_named(settings: Settings) -> set[str]:
    """Return the model names in routing tables, which `[agents.<name>]` may configure."""
    return {
        name
        for table in list_tables(settings).values()
        for name in (table.reference, *(route.model for route in table.routes))
    }


def find_model(name: str, settings: Settings, models: ModelSource) -> Chain:
    """Return the handle of a model that a routing table names.

    () if it is not configured. It is that of `[agents.<name>]`, or "provider:model" of any, with
    `@LEVEL` behind it only at that effort.
    """
    if name in settings.agents:
        return models.resolve_chain(name)
    label, effort = split_effort(name)
    for other in (*settings.agents, "worker", "classifier"):
        role, worker = (other, None) if other in ROLES else ("worker", other)
        with suppress(ConfigError):  # of a role that nobody has called yet
            for handle in models.resolve_chain(role, worker):
                if handle.label == label and effort in (None, handle.effort):
                    return (handle,)
    return ()


def is_reference(
    table: Table, configured: ModelHandle, settings: Settings, models: ModelSource
) -> bool:
    """Whether the configured model is the reference of a routing table.

    Also true if the reference has no provider at all.
    """
    if table.reference in settings.agents:
        return models.resolve(table.reference).label == configured.label
    return ":" not in table.reference or table.reference == configured.label
