"""What LangGraph's clients send. What is not known, or cannot be done, is refused by its name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

import orjson
from msgspec import Meta, Struct

from plainloop.agent.base.text.cleaning import check_tags
from plainloop.agent.base.text.foreign_json import as_list, as_object
from plainloop.agent.config.settings import Limits
from plainloop.agent.errors import ShapeError

from .encoder import MODES

Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
MAX_ROWS = 1_000  # of a page: LangGraph's own upper bound of `limit`
Limit = Annotated[int, Meta(ge=1, le=MAX_ROWS)]
Status = Literal["idle", "busy", "interrupted", "error"]
RunStatus = Literal["pending", "running", "success", "error", "timeout", "interrupted"]
END = "__end__"  # where a graph has nothing more to do
_MOST_STEPS_PER_TURN = 6  # of a run: a worker, its tools and its review, and what comes before


class Stated(Struct, forbid_unknown_fields=True):
    """A checkpoint of a thread, as clients name it."""

    checkpoint_id: str | None = None
    checkpoint_ns: str = ""
    thread_id: str | None = None
    checkpoint_map: Any = None


class AssistantSearch(Struct, forbid_unknown_fields=True):
    graph_id: str | None = None
    metadata: dict[str, Any] | None = None
    name: str | None = None
    limit: Limit = 10
    offset: Count = 0
    sort_by: str | None = None
    sort_order: str | None = None
    select: list[str] | None = None
    ids: list[str] | None = None


class NewThread(Struct, forbid_unknown_fields=True):
    thread_id: str | None = None
    metadata: dict[str, Any] | None = None
    if_exists: Literal["raise", "do_nothing"] = "raise"
    supersteps: list[Any] | None = None
    ttl: Any = None

    def __post_init__(self) -> None:
        refuse(self, ("supersteps", "ttl"))


class ThreadPatch(Struct, forbid_unknown_fields=True):
    metadata: dict[str, Any] = {}
    ttl: Any = None

    def __post_init__(self) -> None:
        refuse(self, ("ttl",))


class ThreadSearch(Struct, forbid_unknown_fields=True):
    metadata: dict[str, Any] | None = None
    values: dict[str, Any] | None = None
    status: Status | None = None
    ids: list[str] | None = None
    limit: Limit = 10
    offset: Count = 0
    sort_by: Literal["thread_id", "status", "created_at", "updated_at", "state_updated_at"] = (
        "updated_at"
    )
    sort_order: Literal["asc", "desc"] = "desc"
    select: list[str] | None = None
    extract: dict[str, str] | None = None

    def __post_init__(self) -> None:
        refuse(self, ("values", "extract"))


class StateQuery(Struct):
    subgraphs: bool = False  # there are none
    select: list[str] = []


class StateInput(Struct, forbid_unknown_fields=True):
    checkpoint: Stated
    subgraphs: bool = False
    select: list[str] | None = None


class HistoryInput(Struct, forbid_unknown_fields=True):
    limit: Limit = 10
    before: Any = None
    metadata: dict[str, Any] | None = None
    checkpoint: Stated | None = None

    def __post_init__(self) -> None:
        refuse(self, ("metadata",))


class RunsQuery(Struct):
    limit: Annotated[int, Meta(ge=0, le=MAX_ROWS)] = 10
    offset: Count = 0
    status: RunStatus | None = None
    select: list[str] = []


class JoinQuery(Struct):
    stream_mode: list[str] = []
    cancel_on_disconnect: bool = False
    checkpoint_id: str | None = None  # that is known: what led to it is told again, unchanged

    @property
    def modes(self) -> tuple[str, ...]:
        return read_modes([name for text in self.stream_mode for name in _read_names(text)])


class CancelQuery(Struct):
    wait: bool = False
    action: Literal["interrupt", "rollback"] = "interrupt"

    def __post_init__(self) -> None:
        if self.action == "rollback":
            raise ShapeError(
                "`action`: rollback is not supported, because a run's data is kept",
                hint="Use interrupt.",
                param="action",
            )


class RunInput(Struct, forbid_unknown_fields=True):
    """A request for a run. Empty values of unsupported fields are accepted."""

    assistant_id: str
    input: Any = None
    command: dict[str, Any] | None = None
    checkpoint: Stated | None = None
    checkpoint_id: str | None = None
    config: dict[str, Any] | None = None
    context: dict[str, Any] | None = None
    metadata: dict[str, Any] | None = None
    stream_mode: str | list[str] | None = None
    stream_subgraphs: bool | None = None  # there are none
    stream_resumable: bool | None = None  # every stream is
    multitask_strategy: Literal["reject", "enqueue", "interrupt", "rollback"] | None = None
    on_disconnect: Literal["cancel", "continue"] = "continue"
    on_completion: Literal["delete", "keep"] | None = None
    if_not_exists: Literal["create", "reject"] = "reject"
    durability: Literal["sync", "async", "exit"] | None = None  # every step is durable
    checkpoint_during: bool | None = None
    strict_resume: bool | None = None  # an answer to nothing is refused in any case
    interrupt_before: Any = None
    interrupt_after: Any = None
    webhook: str | None = None
    feedback_keys: list[str] | None = None
    after_seconds: float | None = None
    langsmith_tracer: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        later = ("webhook", "feedback_keys", "after_seconds", "langsmith_tracer")
        refuse(self, ("interrupt_before", "interrupt_after", "context", *later))
        if self.multitask_strategy == "rollback":
            told = "`multitask_strategy`: rollback is not supported, because a run's data is kept"
            raise ShapeError(told, param="multitask_strategy")
        if self.on_completion == "delete":
            told = "`on_completion`: delete is not supported; delete the thread instead"
            raise ShapeError(told, param="on_completion")
        others = {*(self.command or {})} - {"resume"}
        if others and not self.ends_question:
            told = (
                f"only `resume`, or `goto` with {END!r}, is supported, not "
                f"{', '.join(sorted(others))}"
            )
            raise ShapeError(f"command: {told}", param="command")
        _ = self.modes

    @property
    def ends_question(self) -> bool:
        """Return whether the request drops the thread's pending question (`goto: END`)."""
        return (self.command or {}) == {"goto": END}

    @property
    def modes(self) -> tuple[str, ...]:
        asked = [self.stream_mode] if isinstance(self.stream_mode, str) else self.stream_mode
        return read_modes(["values"] if asked is None else asked)

    @property
    def state(self) -> str | None:
        """Return the id of the checkpoint at which the run begins.

        None if it begins at the newest.
        """
        named = as_object((self.config or {}).get("configurable")).get("checkpoint_id")
        stated = self.checkpoint_id or (self.checkpoint and self.checkpoint.checkpoint_id)
        return stated or (named if isinstance(named, str) else None)

    def read_tags(self, limits: Limits) -> tuple[str, ...]:
        """Return the run's tags, which the request's `config` states.

        Raises: ShapeError for unsupported keys.
        """
        config = self.config or {}
        given = {name for name, value in as_object(config.get("configurable")).items() if value}
        if others := given - {"thread_id", "checkpoint_id", "checkpoint_ns"}:
            raise ShapeError(
                f"config.configurable: unsupported keys {', '.join(sorted(others))}",
                hint="Leave them out.",
            )
        if others := {*config} - {"configurable", "tags", "recursion_limit", "metadata"}:
            raise ShapeError(
                f"config: unsupported keys {', '.join(sorted(others))}", hint="Leave them out."
            )
        steps, most = config.get("recursion_limit"), limits.worker_turns * _MOST_STEPS_PER_TURN
        if isinstance(steps, int) and steps < most:
            raise ShapeError(
                f"config.recursion_limit is {steps}, less than a run's {most} steps",
                hint=f"Use at least {most} (from limits.worker_turns), or omit it.",
            )
        return check_tags([*map(str, as_list(config.get("tags")))])


def refuse(body: Struct, names: Iterable[str]) -> None:
    """Refuse fields that are not supported, unless they are empty.

    Raises: ShapeError.
    """
    for name in names:
        if getattr(body, name):
            raise ShapeError(f"{name} is not supported", hint="Leave it out.", param=name)


def read_modes(asked: Iterable[str]) -> tuple[str, ...]:
    """Return the requested stream modes, or all if none are requested.

    Raises: ShapeError.
    """
    modes = tuple(dict.fromkeys(asked))
    if unknown := [name for name in modes if name not in MODES]:
        told = f"stream_mode {unknown[0][:40]!r} is not supported"
        raise ShapeError(told, hint=f"Use one of: {', '.join(MODES)}.", param="stream_mode")
    return modes or MODES


def _read_names(text: str) -> list[str]:
    """Parse one name, or a JSON list of names: clients differ."""
    if text.startswith("["):
        try:
            return [*map(str, as_list(orjson.loads(text)))]
        except orjson.JSONDecodeError:
            return [text]
    return [text] if text else []
